const formats = new Map<string, Intl.NumberFormat>();

export function formatCount(count: number, language: string): string {
  const format = formats.get(language) ?? new Intl.NumberFormat(language);
  formats.set(language, format);
  return format.format(count);
}

/** Never 100 % or 0 % unless exact. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  if (percent > 99 && percent < 100) return '>99%';
  if (percent > 0 && percent < 1) return '<1%';
  return `${Math.round(percent)}%`;
}

/** UTC to the second. Other texts are shown unchanged. */
export function formatTime(time: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z$/.exec(time);
  return match === null ? time : `${match[1]} ${match[2]}`;
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1000 ** at;
  return `${at > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[at]}`;
}
