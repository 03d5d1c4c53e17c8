// Control characters beyond the 32 that JSON escapes.
const obeyed = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON without characters that a terminal obeys. */
export function jsonText(value: unknown, spaces?: number): string {
  return JSON.stringify(value, undefined, spaces).replace(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
