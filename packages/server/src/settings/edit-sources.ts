import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, YAMLSeq } from 'yaml';

const require = createRequire(import.meta.url);

/** A source as a configuration file has it. */
export interface GivenSource {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** The text of a valid configuration file with one more source. All else stays as it is. */
export function addSource(text: string, source: GivenSource): string {
  const { document, key, value, sources } = parse(text);
  const edited = () => {
    if (yaml().isMap(document.contents) && document.contents.flow) {
      document.set('sources', [...sources, source]);
      return document.toString({ lineWidth: 0 });
    }
    if (key === undefined)
      return `${text}${/(^|\n)$/.test(text) ? '' : '\n'}${render({ sources: [source] })}\n`;
    if (!isBlock(value)) {
      return splice(
        text,
        key.range![0],
        lineEnd(text, value ?? key),
        render({ sources: [...sources, source] }),
      );
    }
    const end = lineEnd(text, value.items.at(-1)!);
    const indentation = ' '.repeat(columnOf(text, value.range![0]));
    return splice(text, end, end, `\n${render([source]).replaceAll(/^/gm, indentation)}`);
  };
  return checked(edited(), [...sources, source]);
}

/** The text of a valid configuration file without the source at that position. All else stays as it is. */
export function removeSource(text: string, at: number): string {
  const { document, key, value, sources } = parse(text);
  const edited = () => {
    if (!isBlock(value)) {
      document.deleteIn(['sources', at]);
      return document.toString({ lineWidth: 0 });
    }
    const item = value.items[at]!;
    if (sources.length === 1) return splice(text, key!.range![0], lineEnd(text, item), 'sources: []');
    const dash = text.lastIndexOf('-', item.range![0] - 1);
    return splice(text, dash - columnOf(text, dash), lineEnd(text, item) + 1, '');
  };
  return checked(edited(), sources.toSpliced(at, 1));
}

interface Parsed {
  readonly document: Document;
  readonly key: Node | undefined;
  readonly value: Node | null;
  readonly sources: readonly unknown[];
}

function parse(text: string): Parsed {
  const { parseDocument, isMap, isScalar } = yaml();
  const document = parseDocument(text, { schema: 'core' });
  const items = isMap<Node, Node | null>(document.contents) ? document.contents.items : [];
  const pair = items.find(({ key }) => isScalar(key) && key.value === 'sources');
  const { sources } = (document.toJS() ?? {}) as { sources?: unknown[] };
  return { document, key: pair?.key, value: pair?.value ?? null, sources: sources ?? [] };
}

function isBlock(node: Node | null): node is YAMLSeq<Node> {
  return yaml().isSeq(node) && node.flow !== true && node.items.length > 0;
}

/** Positions in a text are worked out, so the result is read back. */
function checked(text: string, expected: readonly unknown[]): string {
  const { document, sources } = parse(text);
  if (document.errors.length === 0 && isDeepStrictEqual(sources, expected)) return text;
  throw new Error('the file has a form that cannot be edited here');
}

function render(value: unknown): string {
  return yaml().stringify(value, { lineWidth: 0 }).trimEnd();
}

function splice(text: string, from: number, to: number, by: string): string {
  return `${text.slice(0, from)}${by}${text.slice(to)}`;
}

/** Where the last line of a node ends, which may have a comment. */
function lineEnd(text: string, { range }: Node): number {
  const last = text.slice(0, range![1]).trimEnd().length;
  const end = text.indexOf('\n', last);
  return end === -1 ? text.length : end;
}

function columnOf(text: string, position: number): number {
  return position - (text.lastIndexOf('\n', position - 1) + 1);
}

function yaml(): typeof import('yaml') {
  return require('yaml');
}
