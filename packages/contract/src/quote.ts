const maxQuotedLength = 80;

/** A value as it may appear in a message: quoted, control characters escaped, never longer than a line. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const shown = text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength).toWellFormed()}…` : text;
  return typeof value === 'string' ? JSON.stringify(shown) : shown;
}
