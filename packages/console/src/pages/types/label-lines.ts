/** Labels in the text field: one line per language. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([language, label]) => `${language}: ${label}`)
    .join('\n');
}

/** A line without a language is sent as it is; the server explains the error. */
export function parseLabels(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return at === -1 ? ['', line.trim()] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
