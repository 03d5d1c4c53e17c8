import { parser } from '@prometheus-io/lezer-promql';
import type { Labels } from '../http/shape.ts';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** What a rule selects series with. */
export interface Selector {
  /** As it is written in the rule. */
  readonly text: string;
  /** Undefined if it may select series of several names. */
  readonly metric: string | undefined;
  /** For `absent`, which alerts on series that are not there: the labels its alert has. */
  readonly absentLabels: Labels | undefined;
}

/**
 * The selectors of a PromQL expression whose series become its result; undefined if the grammar does not know it.
 * What follows `and` and `unless` only removes results.
 */
export function selectorsOf(expression: string): readonly Selector[] | undefined {
  if (expression.length > longestExpression) return undefined;
  const found: Selector[] = [];
  const { topNode } = parser.parse(expression);
  try {
    return collect(topNode, { expression, isAbsent: false, found }) ? found : undefined;
  } catch (error) {
    // Nested more deeply than the stack is high.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Far longer than those that people write; parsing takes a microsecond for each character. */
const longestExpression = 16_384;

interface Walk {
  readonly expression: string;
  readonly isAbsent: boolean;
  readonly found: Selector[];
}

/** Returns whether everything was understood. */
function collect(node: Node, walk: Walk): boolean {
  if (node.type.isError) return false;
  const inner = childrenOf(node);
  if (node.name === 'VectorSelector') {
    if (inner.some((child) => hasError(child))) return false;
    walk.found.push(selectorAt(node, walk));
    return true;
  }
  const cut = inner.findIndex(({ name }) => name === 'And' || name === 'Unless');
  const [kept, dropped] = cut === -1 ? [inner, []] : [inner.slice(0, cut), inner.slice(cut)];
  if (dropped.some(hasError)) return false;
  const isAbsent = walk.isAbsent || (node.name === 'FunctionCall' && /^absent/.test(textOf(node, walk)));
  return kept.every((child) => collect(child, { ...walk, isAbsent }));
}

function hasError(node: Node): boolean {
  return node.type.isError || childrenOf(node).some(hasError);
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function textOf({ from, to }: Node, { expression }: Walk): string {
  return expression.slice(from, to);
}

function selectorAt(node: Node, walk: Walk): Selector {
  const equal: Record<string, string> = {};
  let metric: string | undefined;
  for (const child of childrenOf(node)) {
    if (child.name === 'Identifier') metric = textOf(child, walk);
    if (child.name !== 'LabelMatchers') continue;
    for (const matcher of childrenOf(child)) {
      if (matcher.name === 'QuotedLabelName') metric = unquote(textOf(matcher, walk));
      const [label, operator, value] = childrenOf(matcher);
      if (value === undefined || operator?.firstChild?.name !== 'EqlSingle') continue;
      const name = unquote(textOf(label!, walk));
      if (name === '__name__') metric = unquote(textOf(value, walk));
      else equal[name] = unquote(textOf(value, walk));
    }
  }
  return { text: textOf(node, walk), metric, absentLabels: walk.isAbsent ? equal : undefined };
}

/** Strings of PromQL have the escapes of Go; those that JSON does not have are left as they are. */
function unquote(text: string): string {
  const mark = text[0];
  if (mark !== '"' && mark !== "'" && mark !== '`') return text;
  const inside = text.slice(1, -1);
  if (mark === '`' || !inside.includes('\\')) return inside;
  try {
    return JSON.parse(`"${inside.replaceAll("\\'", "'").replaceAll(/(?<!\\)"/g, '\\"')}"`);
  } catch {
    return inside;
  }
}
