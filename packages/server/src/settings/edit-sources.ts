import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml';
import {
  addToFlow,
  type FlowMembers,
  lineBreakOf,
  lineEnd,
  nextLine,
  removeFromFlow,
  type Span,
  splice,
} from './edit-flow.ts';
import { InvalidSettings } from './invalid-settings.ts';

const require = createRequire(import.meta.url);

/** A source as a configuration file has it. */
export interface GivenSource {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** The text of a valid configuration file with one more source. All else stays as it is. */
export function addSource(text: string, source: GivenSource): string {
  const { root, key, value, sources } = parse(text);
  const { isSeq } = yaml();
  const edited = () => {
    if (root?.flow) {
      const added = JSON.stringify(key === undefined ? [source] : source);
      if (key === undefined) return addToFlow(text, pairsOf(root), `"sources": ${added}`);
      return isSeq<Node>(value)
        ? addToFlow(text, itemsOf(value), added)
        : replaceValue(text, value, [source]);
    }
    if (key === undefined) {
      const start = /(^|\n)$/.test(text) ? '' : lineBreakOf(text);
      return `${text}${start}sources:${listItem(text, source, 2)}${lineBreakOf(text)}`;
    }
    if (isFlow(value) && hasContent(text, value)) return addToFlow(text, itemsOf(value), inBrackets(source));
    if (!isBlock(value)) return beginList(text, key, value, source);
    const end = endOf(text, value.items.at(-1)!);
    return splice(text, end, end, listItem(text, source, columnOf(text, value.range![0])));
  };
  return checked(edited(), [...sources, source]);
}

/** The text of a valid configuration file without the source at that position. All else stays as it is. */
export function removeSource(text: string, at: number): string {
  const { key, value, sources } = parse(text);
  const edited = () => {
    if (!isBlock(value)) return removeFromFlow(text, itemsOf(value as YAMLSeq<Node>), at);
    const item = value.items[at]!;
    const dash = text.lastIndexOf('-', item.range![0] - 1);
    const removed = splice(text, dash - columnOf(text, dash), nextLine(text, endOf(text, item)), '');
    if (sources.length > 1) return removed;
    const colon = text.indexOf(':', key!.range![1]);
    return splice(removed, colon + 1, colon + 1, ' []');
  };
  return checked(edited(), sources.toSpliced(at, 1));
}

type Mapping = YAMLMap<Node, Node | null>;

interface Parsed {
  readonly document: Document;
  readonly root: Mapping | undefined;
  readonly key: Node | undefined;
  readonly value: Node | null;
  readonly sources: readonly unknown[];
}

function parse(text: string): Parsed {
  const { parseDocument, isMap, isScalar } = yaml();
  const document = parseDocument(text, { schema: 'core' });
  const root = isMap<Node, Node | null>(document.contents) ? document.contents : undefined;
  const pair = root?.items.find(({ key }) => isScalar(key) && key.value === 'sources');
  const { sources } = (document.toJS() ?? {}) as { sources?: unknown[] };
  return { document, root, key: pair?.key, value: pair?.value ?? null, sources: sources ?? [] };
}

function isBlock(node: Node | null): node is YAMLSeq<Node> {
  return yaml().isSeq(node) && node.flow !== true && node.items.length > 0;
}

function isFlow(node: Node | null): node is YAMLSeq<Node> {
  return yaml().isSeq(node) && node.flow === true;
}

/** Whether there is anything between the brackets, be it a comment. */
function hasContent(text: string, { range }: Node): boolean {
  return /\S/.test(text.slice(range![0] + 1, range![1] - 1));
}

/** Turns a list that is empty or missing into one with a line for each item. */
function beginList(text: string, key: Node, value: Node | null, source: GivenSource): string {
  const [from, to] = value?.range ?? [key.range![1], key.range![1]];
  const end = lineEnd(text, to);
  const items = listItem(text, source, columnOf(text, key.range![0]) + 2);
  const begun = splice(text, end, end, items);
  // Without the blanks before what is removed.
  return from === to ? begun : splice(begun, text.slice(0, from).trimEnd().length, to, '');
}

function replaceValue(text: string, value: Node | null, by: unknown): string {
  return splice(text, value!.range![0], value!.range![1], JSON.stringify(by));
}

function spanOf({ range }: Node): Span {
  return [range![0], range![1]];
}

function itemsOf(list: YAMLSeq<Node>): FlowMembers {
  return { span: spanOf(list), members: list.items.map(spanOf) };
}

function pairsOf(map: Mapping): FlowMembers {
  const pairSpan = ({ key, value }: Pair<Node, Node | null>): Span => [
    key.range![0],
    (value ?? key).range![1],
  ];
  return { span: spanOf(map), members: map.items.map(pairSpan) };
}

/** Positions in a text are worked out, so the result is read back. */
function checked(text: string, expected: readonly unknown[]): string {
  const { document, sources } = parse(text);
  if (document.errors.length === 0 && isDeepStrictEqual(sources, expected)) return text;
  throw new InvalidSettings(['the file has a form that cannot be edited here; edit its sources by hand']);
}

function render(value: unknown): string {
  return yaml().stringify(value, { lineWidth: 0 }).trimEnd();
}

/** Lines that follow others. */
function listItem(text: string, source: GivenSource, column: number): string {
  const lines = render([source]).split('\n');
  return lines.map((line) => `${lineBreakOf(text)}${' '.repeat(column)}${line}`).join('');
}

function inBrackets(source: GivenSource): string {
  return yaml().stringify(source, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

/** Where the last line of a node ends, which may have a comment. */
function endOf(text: string, { range }: Node): number {
  return lineEnd(text, text.slice(0, range![1]).trimEnd().length);
}

function columnOf(text: string, position: number): number {
  return position - (text.lastIndexOf('\n', position - 1) + 1);
}

function yaml(): typeof import('yaml') {
  return require('yaml');
}
