const maxQuotedLength = 80;

/** A value as it may appear in a message: quoted, control characters escaped, never longer than a line. */
export function quote(value: unknown): string {
  const shown = shorten(textOf(value));
  const quoted = typeof value === 'string' ? JSON.stringify(shown) : shown;
  return escapeUnseen(quoted);
}

function textOf(value: unknown): string {
  // A number that is too large for one, such as 1e400, is null in JSON.
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain ? String(value) : (JSON.stringify(value) ?? String(value));
}

/** JSON in which everything can be seen. */
export function escapeUnseen(json: string): string {
  return json.replace(unseen, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What JSON leaves as it is although it cannot be seen, or turns the direction of what follows. */
const unseen = /[\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Text that is never longer than a line, or than it may be. */
export function shorten(text: string, maxLength = maxQuotedLength): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
}
