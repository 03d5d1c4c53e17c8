/** Labels as people edit them: a line for each language. */
export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([language, label]) => `${language}: ${label}`)
    .join('\n');
}

/** A line without a language becomes a label of no language, which the server refuses with its reason. */
export function parseLabels(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return at === -1 ? ['', line.trim()] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
