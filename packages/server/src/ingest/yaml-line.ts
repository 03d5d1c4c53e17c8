/** A line of YAML as far as the outermost structure needs to know it. */
export interface YamlLine {
  readonly text: string;
  /** How many spaces it begins with. */
  readonly indent: number;
  readonly kind: 'blank' | 'tab' | 'directive' | 'begin' | 'end' | 'item' | 'member' | 'other';
  /** The name of a member, and what stands behind its colon on the same line. */
  readonly name: string;
  readonly rest: string;
}

const documentBegin = /^---(?:[ \t]|$)/;
const documentEnd = /^\.\.\.(?:[ \t]|$)/;
const item = /^-(?:[ \t]|$)/;
const member = /^(["']?)([^"'#:\s]+)\1[ \t]*:(?:[ \t]([\s\S]*))?$/;
const comment = /(?:^|[ \t])#[\s\S]*$/;

export function parseYamlLine(line: string): YamlLine {
  const indent = line.search(/[^ ]|$/);
  const text = line.slice(indent).trimEnd();
  if (text === '' || text.startsWith('#')) return { text: line, indent, kind: 'blank', name: '', rest: '' };
  const match = member.exec(text);
  const rest = (match ? (match[3] ?? '') : text).replace(comment, '').trim();
  return { text: line, indent, kind: kindOf(text, indent), name: match?.[2] ?? '', rest };
}

function kindOf(text: string, indent: number): YamlLine['kind'] {
  if (text.startsWith('\t')) return 'tab';
  if (indent === 0 && text.startsWith('%')) return 'directive';
  if (indent === 0 && documentBegin.test(text)) return 'begin';
  if (indent === 0 && documentEnd.test(text)) return 'end';
  if (item.test(text)) return 'item';
  return member.test(text) ? 'member' : 'other';
}
