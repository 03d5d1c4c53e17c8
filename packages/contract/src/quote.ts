const maxQuotedLength = 80;

/** A value for a message: quoted, control characters escaped, at most a line long. */
export function quote(value: unknown, maxLength?: number): string {
  const shown = shorten(textOf(value), maxLength);
  const quoted = typeof value === 'string' ? JSON.stringify(shown) : shown;
  return escapeUnseen(quoted);
}

function textOf(value: unknown): string {
  // A number out of range, such as 1e400, is null in JSON.
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain ? String(value) : (JSON.stringify(value) ?? String(value));
}

/** Escapes the invisible characters that JSON leaves as they are. */
export function escapeUnseen(json: string): string {
  return json.replace(unseen, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Invisible characters, and marks that change the direction of text. */
const unseen = /[\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Cuts text to a maximum length. */
export function shorten(text: string, maxLength = maxQuotedLength): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
}
