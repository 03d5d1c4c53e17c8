/** Where a text has a member of a list or object in brackets: from its first character to the one after its last. */
export type Span = readonly [from: number, to: number];

/** The members of a collection in brackets. */
export interface FlowMembers {
  /** With the brackets. */
  readonly span: Span;
  readonly members: readonly Span[];
}

/** Adds a member at the end: on a line of its own if the last one is. Comments stay where they are. */
export function addToFlow(text: string, { span, members }: FlowMembers, member: string): string {
  const last = members.at(-1);
  if (last === undefined) return splice(text, span[0] + 1, span[0] + 1, member);
  const [from, to] = last;
  const indentation = text.slice(lineStart(text, from), from);
  const end = lineEnd(text, to);
  if (/\S/.test(indentation) || end >= span[1]) return splice(text, to, to, `, ${member}`);
  const comma = commaAfter(text, to);
  const line = `${lineBreakOf(text)}${indentation}${member}${comma === undefined ? '' : ','}`;
  return splice(splice(text, end, end, line), to, to, comma === undefined ? ',' : '');
}

/** Removes a member, with its comment if both have the line for themselves. Other comments stay. */
export function removeFromFlow(text: string, { members }: FlowMembers, at: number): string {
  const [from, to] = members[at]!;
  const comma = commaAfter(text, to);
  const previous = comma === undefined && at > 0 ? commaAfter(text, members[at - 1]![1]) : undefined;
  const after = comma === undefined ? to : comma + 1;
  const start = lineStart(text, from);
  const end = lineEnd(text, after);
  const isAlone = /^\s*$/.test(text.slice(start, from)) && /^\s*(#.*)?$/.test(text.slice(after, end));
  const blanksAfter = comma === undefined ? 0 : /^[ \t]*/.exec(text.slice(after))![0].length;
  const blanksBefore = previous === undefined ? 0 : /[ \t]*$/.exec(text.slice(0, from))![0].length;
  const removed = isAlone
    ? splice(text, start, nextLine(text, end), '')
    : splice(text, from - blanksBefore, after + blanksAfter, '');
  return previous === undefined ? removed : splice(removed, previous, previous + 1, '');
}

export function splice(text: string, from: number, to: number, by: string): string {
  return `${text.slice(0, from)}${by}${text.slice(to)}`;
}

/** What lines of the text end with. */
export function lineBreakOf(text: string): string {
  return /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
}

/** Where the line of a position ends, before its line break. */
export function lineEnd(text: string, position: number): number {
  const end = text.indexOf('\n', position);
  if (end === -1) return text.length;
  return end > position && text[end - 1] === '\r' ? end - 1 : end;
}

/** Where the line after one that ends there begins. */
export function nextLine(text: string, end: number): number {
  return end + /^\r?\n?/.exec(text.slice(end, end + 2))![0].length;
}

function lineStart(text: string, position: number): number {
  return text.lastIndexOf('\n', position - 1) + 1;
}

/** The position of the comma that follows, if nothing but blanks is before it. */
function commaAfter(text: string, position: number): number | undefined {
  const blanks = /^\s*(?=,)/.exec(text.slice(position));
  return blanks === null ? undefined : position + blanks[0].length;
}
