// Control characters, marks that reorder or hide text, line separators, and halves of surrogate pairs.
const hidden =
  /[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** Escapes characters that a terminal would obey or not show. */
export function escapeUnprintable(text: string): string {
  return text.replace(hidden, escapeOf);
}

function escapeOf(character: string): string {
  const code = character.charCodeAt(0);
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
