import { limits, quote, RosterError } from '@roster/contract';
import type { Alias, Document, Node, ParsedNode, YAMLError, YAMLSeq } from 'yaml';
import { Composer, type CST, isAlias, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml';
import { Shares } from '../../../quotas/shares.ts';
import { JsonReader } from './json-reader.ts';
import { type Position, positionAt } from './position.ts';
import {
  type ListingPage,
  parseListingPage,
  type ReadResult,
  type RecordReader,
  unreadable,
} from './record-reader.ts';
import { findInvalid, notUtf8 } from './utf8-text.ts';

/** Characters of all YAML bodies that are being read, by sender. */
const heldText = new Shares(16 * limits.maxYamlBytes);
const retryAfterSeconds = 5;

/** Far more than a valid record has. Composing cannot be interrupted, so these bound it. */
const maxTokens = 2000;
const maxDepth = 50;
const maxNodes = 2000;
const tokensPerPause = 100;
const blank = /^[\s#]/;

/** The lines before the content, and the indentation of its first line. */
const preamble = /^(?:[ \t\r]*(?:(?:#|%|---[ \t\r]*(?:#|$))[^\n]*)?\n)*[ \t]*/m;
const maxPreambleLength = 4096;

const composerOptions = { schema: 'core', prettyErrors: false, stringKeys: true, uniqueKeys: false } as const;

interface Located extends Position {
  readonly offset: number;
}

const origin: Located = { offset: 0, line: 1, column: 1 };

/**
 * Reads a YAML list of records, or a listing: a mapping with such a list as `resources`, and `page`. The whole body is
 * one document, but each complete record is taken out of the syntax tree: that of a whole body would take 50 times the
 * memory of its text. A body that begins with a bracket or a brace is read as JSON.
 */
export class YamlReader implements RecordReader {
  readonly #maxRecordBytes: number;
  readonly #owner: string;
  #text = '';
  #json: JsonReader | undefined;
  #page: ListingPage | undefined;
  #documents = 0;
  /** A position to count lines from, before everything that is still to be read. */
  #last = origin;

  constructor(maxRecordBytes: number, owner = '') {
    this.#maxRecordBytes = maxRecordBytes;
    this.#owner = owner;
  }

  get page(): ListingPage | undefined {
    return this.#json?.page ?? this.#page;
  }

  push(text: string): ReadResult[] {
    this.#text += text;
    heldText.hold(this.#owner, text.length);
    if (!heldText.isOver && !heldText.isOwnerOver(this.#owner)) return [];
    const message = 'too many YAML bodies are being read at once; try again later, or send NDJSON';
    throw new RosterError('overloaded', message, { retryAfterSeconds });
  }

  close(): void {
    heldText.release(this.#owner, this.#text.length);
    this.#text = '';
  }

  *end(): Generator<ReadResult | undefined> {
    const text = this.#text;
    const invalidAt = findInvalid(text);
    const start = preamble.exec(text.slice(0, maxPreambleLength))![0].length;
    if (invalidAt !== -1) yield { ...unreadable(this.#locate(invalidAt), notUtf8), isLast: true };
    else if (text[start] !== '[' && text[start] !== '{') yield* this.#readYaml();
    else {
      this.#json = new JsonReader(this.#maxRecordBytes, this.#locate(start));
      yield* this.#json.push(text.slice(start));
      yield* this.#json.end();
    }
  }

  *#readYaml(): Generator<ReadResult | undefined> {
    const parser = new Parser();
    let [from, tokens, count] = [0, 0, 0];
    for (const source of new Lexer().lex(this.#text)) {
      yield* this.#readStream(parser.next(source));
      const list = listIn(parser.stack);
      const isTaken = list !== undefined && list.items.length > 1;
      if (isTaken) [from, tokens] = [parser.offset, 0];
      if (isTaken) yield* this.#take(list, list.items.length - 1);
      const reason = this.#excess({
        bytes: parser.offset - from,
        tokens: blank.test(source) ? tokens : ++tokens,
        depth: parser.stack.length,
      });
      if (reason !== undefined) {
        yield { ...unreadable(this.#locate(startOfItem(list?.items.at(-1)) ?? from), reason), isLast: true };
        return;
      }
      if (++count % tokensPerPause === 0) yield undefined;
    }
    yield* this.#readStream(parser.end());
  }

  #excess(held: { bytes: number; tokens: number; depth: number }): string | undefined {
    if (held.bytes > this.#maxRecordBytes) {
      return `a record may have at most ${this.#maxRecordBytes} bytes, with the comments after it`;
    }
    if (held.tokens > maxTokens) return `a record may have at most ${maxTokens} tokens`;
    return held.depth > maxDepth ? 'is nested too deeply' : undefined;
  }

  *#readStream(tokens: Iterable<CST.Token>): Generator<ReadResult> {
    for (const token of tokens) {
      if (token.type === 'error') {
        this.#last = this.#locate(token.offset);
        yield unreadable(this.#last, `is not valid YAML: ${token.message}`);
      } else if (token.type === 'document') {
        if (++this.#documents > 1) throw this.#invalidBody('a second document begins', token.offset);
        yield* this.#readDocument(token);
      }
    }
  }

  /** Reads the records that are left at the end, then all the rest. */
  *#readDocument(token: CST.Document): Generator<ReadResult> {
    for (const list of listsIn(token)) yield* this.#take(list, list.items.length);
    const document = compose(token);
    const [error] = document.errors;
    if (error !== undefined) yield unreadable(this.#locate(error.pos[0]), invalidYaml(error));
    else this.#readRest(document);
  }

  #readRest({ contents }: Document<ParsedNode>): void {
    if (contents === null || isSeq(contents) || isEmpty(contents)) return;
    if (!isMap(contents)) throw this.#invalidBody(`it is ${quote(contents.toJSON())}`, startOf(contents));
    const names = new Set<string>();
    for (const { key, value } of contents.items) {
      const name = String(key);
      if (names.has(name)) throw this.#invalidBody(`it has ${name} twice`, startOf(key));
      names.add(name);
      if (name === 'page') this.#page = parseListingPage(new YamlValues().of(value));
      else if (name !== 'resources') throw this.#invalidBody(`it has a member ${quote(name)}`, startOf(key));
      else if (!isEmpty(value)) {
        const advice = 'begin each record on a line of its own, with a dash';
        throw this.#invalidBody(`resources must be a list: ${advice}`, startOf(key));
      }
    }
    if (!names.has('resources')) throw this.#invalidBody('it has no resources', startOf(contents));
  }

  *#take(list: CST.BlockSequence, count: number): Generator<ReadResult> {
    for (const item of list.items.splice(0, count)) {
      const start = startOfItem(item);
      if (start === undefined) continue;
      this.#last = this.#locate(start);
      const value = { ...list, items: [item] };
      yield readRecord({ type: 'document', offset: start, start: [], value }, this.#text, this.#last);
    }
  }

  #locate(offset: number): Located {
    const from = this.#last.offset <= offset ? this.#last : origin;
    return { offset, ...positionIn(this.#text, from, offset) };
  }

  #invalidBody(reason: string, offset: number): RosterError {
    const shape = 'a YAML list of records, or a listing, which is a mapping with resources and page';
    const { line } = this.#locate(offset);
    return new RosterError('invalid_body', `the body must be ${shape}; in line ${line}, ${reason}`);
  }
}

/** The list of records that is being parsed: the document itself, or a member of it. */
function listIn([, outer, inner]: readonly CST.Token[]): CST.BlockSequence | undefined {
  if (outer?.type === 'block-seq') return outer;
  return outer?.type === 'block-map' && inner?.type === 'block-seq' ? inner : undefined;
}

function listsIn({ value }: CST.Document): CST.BlockSequence[] {
  if (value?.type === 'block-seq') return [value];
  if (value?.type !== 'block-map') return [];
  return value.items.map((member) => member.value).filter((member) => member?.type === 'block-seq');
}

/** The offset of its dash. Undefined if only blank lines and comments were left at the end of a list. */
function startOfItem(item: CST.BlockSequence['items'][number] | undefined): number | undefined {
  const dash = item?.start.find(({ type }) => type === 'seq-item-ind');
  return (dash ?? item?.value ?? item?.start.find(({ type }) => !blankTypes.has(type)))?.offset;
}

const blankTypes = new Set(['space', 'newline', 'comment']);

/** A node that no record can have. */
class InvalidNode extends Error {
  readonly offset: number;
  readonly field: string | undefined;

  constructor(offset: number, reason: string, field?: string) {
    super(reason);
    this.offset = offset;
    this.field = field;
  }
}

function compose(token: CST.Document): Document<ParsedNode> {
  const [document] = new Composer(composerOptions).compose([token]);
  return document!;
}

function invalidYaml(error: YAMLError): string {
  if (isUnclosed(error)) return 'is not valid YAML: a quote is never closed';
  if (error.message.startsWith('Sequence item without')) {
    return 'is not valid YAML: a line begins left of the fields of its record, without a dash';
  }
  return `is not valid YAML: ${error.message}`;
}

function isUnclosed({ message }: YAMLError): boolean {
  return message.startsWith('Missing closing');
}

/** Reads a document that is a list with one record. */
function readRecord(token: CST.Document, text: string, start: Located): ReadResult {
  const document = compose(token);
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    // The library reports an open quote at the end of the text, and a missing dash at the beginning of the list.
    const offset = isUnclosed(error) ? start.offset : Math.max(start.offset, error.pos[0]);
    return unreadable(positionIn(text, start, offset), invalidYaml(error));
  }
  try {
    const [item] = (document.contents as YAMLSeq).items;
    const positionOf = (field: string) => {
      const pair = isMap(item)
        ? item.items.find(({ key }) => isScalar(key) && key.value === field)
        : undefined;
      return pair && positionIn(text, start, startOf(pair.key));
    };
    return { line: start.line, column: start.column, value: new YamlValues().of(item), positionOf };
  } catch (reason) {
    if (!(reason instanceof InvalidNode)) throw reason;
    const { offset, field, message } = reason;
    return { errors: [{ ...positionIn(text, start, offset), field, reason: message }] };
  }
}

/** Turns nodes into the values that JSON has. The library's own conversion takes minutes for some hostile aliases. */
class YamlValues {
  readonly #anchors = new Map<string, unknown>();
  #nodes = 0;
  #isExpanding = false;

  of(node: unknown): unknown {
    if (++this.#nodes > maxNodes) throw new InvalidNode(startOf(node), `has more than ${maxNodes} values`);
    if (isAlias(node)) return this.#resolve(node);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined && !this.#isExpanding) this.#anchors.set(anchor, node);
    if (isScalar(node)) return node.value;
    if (isSeq(node)) return node.items.map((item) => this.of(item));
    if (!isMap(node)) return null;
    const value: Record<string, unknown> = Object.create(null);
    for (const { key, value: member } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      if (name in value) throw new InvalidNode(startOf(key), 'is given twice', name);
      value[name] = this.of(member);
    }
    return value;
  }

  #resolve({ source: name, range }: Alias): unknown {
    const node = this.#anchors.get(name);
    if (node === undefined) {
      const why = 'which is not before it in this record; each record is read on its own';
      throw new InvalidNode(range?.[0] ?? 0, `the alias *${name} needs the anchor &${name}, ${why}`);
    }
    const wasExpanding = this.#isExpanding;
    this.#isExpanding = true;
    const value = this.of(node);
    this.#isExpanding = wasExpanding;
    return value;
  }
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function isEmpty(node: unknown): boolean {
  return isSeq(node) ? node.items.length === 0 : node === null || (isScalar(node) && node.value === null);
}

/** The position of `offset`, which is after `start`. */
function positionIn(text: string, start: Located, offset: number): Position {
  return positionAt(text.slice(start.offset, offset), start, offset - start.offset);
}
