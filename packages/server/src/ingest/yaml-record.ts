import { type Document, isMap, isScalar, isSeq, Lexer, type ParsedNode, parseDocument } from 'yaml';
import { type Place, placeAt } from './place.ts';
import { type ReadRecord, type ReadResult, type UnreadableRecord, unreadable } from './record-reader.ts';
import { findInvalid, notUtf8 } from './utf8-text.ts';
import { startOf, YamlFault, YamlValues } from './yaml-value.ts';

/** Shorter texts cannot have so many parts that reading them takes long. */
const maxUncountedLength = 4096;
const maxTokens = 2000;

/** Reads the text of one item of a list, in whose first line the dash stands at `place`. */
export function readYamlRecord(text: string, place: Place): ReadResult {
  const invalidAt = findInvalid(text);
  if (invalidAt !== -1) return unreadable(placeInItem(text, place, invalidAt), notUtf8);
  try {
    const document = parseYaml(text);
    const item = isSeq(document.contents) ? document.contents.items[0] : undefined;
    return new YamlRecord({ text, place, item, value: new YamlValues(document).of(item) });
  } catch (error) {
    return toUnreadable(error, text, place);
  }
}

/** Throws `YamlFault`. */
export function parseYaml(text: string): Document<ParsedNode> {
  if (text.length > maxUncountedLength && hasTooManyTokens(text))
    throw new YamlFault(0, 'has too many parts');
  const document = parseDocument(text, {
    schema: 'core',
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem === undefined) return document as Document<ParsedNode>;
  const isDeep = problem.message.includes('call stack');
  throw new YamlFault(
    problem.pos[0],
    isDeep ? 'is nested too deeply' : `is not valid YAML: ${problem.message}`,
  );
}

class YamlRecord implements ReadRecord {
  readonly line: number;
  readonly column: number;
  readonly value: unknown;
  readonly #text: string;
  readonly #item: unknown;

  constructor(read: { text: string; place: Place; item: unknown; value: unknown }) {
    this.line = read.place.line;
    this.column = read.place.column;
    this.value = read.value;
    this.#text = read.text;
    this.#item = read.item;
  }

  placeOf(field: string): Place | undefined {
    if (!isMap(this.#item)) return undefined;
    const pair = this.#item.items.find(({ key }) => isScalar(key) && key.value === field);
    return pair && placeInItem(this.#text, this, startOf(pair.key));
  }
}

/** The text of an item begins with the line, not with the dash. */
function placeInItem(text: string, { line }: Place, offset: number): Place {
  return placeAt(text, { line, column: 1 }, offset);
}

function toUnreadable(error: unknown, text: string, place: Place): UnreadableRecord {
  if (error instanceof RangeError) return unreadable(place, 'is nested too deeply');
  if (!(error instanceof YamlFault)) throw error;
  // What is missing at the end is not missing in the next line.
  const offset = Math.min(error.offset, text.trimEnd().length);
  const { line, column } = placeInItem(text, place, offset);
  return { faults: [{ line, column, field: error.field, reason: error.message }] };
}

function hasTooManyTokens(text: string): boolean {
  let count = 0;
  for (const _ of new Lexer().lex(text)) if (++count > maxTokens) return true;
  return false;
}
