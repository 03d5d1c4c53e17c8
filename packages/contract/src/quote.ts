const maxShownLength = 80;

/** A value as it may appear in a message: quoted, control characters escaped, never longer than a line. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const shown = shorten(text);
  return typeof value === 'string' ? JSON.stringify(shown) : shown;
}

/** A text as far as a message shows it. */
export function shorten(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength).toWellFormed()}…` : text;
}
