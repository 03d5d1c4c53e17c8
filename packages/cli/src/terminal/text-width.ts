const ascii = /^[\x20-\x7e]*$/;
/** ASCII, Latin, kana, Han and Hangul: characters that never combine, with a width given by their code. */
const simple =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]*$/;
const firstWide = 0x1100;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
const emoji = /^(?:\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}{2})/u;

// The blocks that Unicode's EastAsianWidth.txt marks as wide or full-width, rounded to their ends.
const wideRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18df2],
  [0x1aff0, 0x1b2fb],
  [0x20000, 0x3fffd],
];

let segmenter: Intl.Segmenter | undefined;

/** Width of a text in terminal columns. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  if (simple.test(text)) {
    for (let at = 0; at < text.length; at++) width += text.charCodeAt(at) < firstWide ? 1 : 2;
    return width;
  }
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** Truncates a text to `width` columns, with an ellipsis. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const { segment } of graphemesOf(text)) {
    room -= graphemeWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Truncates a text in the middle: the ends of paths tell them apart. */
export function truncateMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const start = truncate(text, Math.ceil(width / 2));
  const parts = Array.from(graphemesOf(text), ({ segment }) => segment);
  let end = '';
  for (let room = width - textWidth(start); parts.length > 0; end = parts.pop()! + end) {
    room -= graphemeWidth(parts.at(-1)!);
    if (room < 0) break;
  }
  return start + end;
}

/** Created on demand, because most texts are ASCII and it is slow to create. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0)!;
  if (code < 0x300 && grapheme.length === 1) return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
  if (zeroWidth.test(grapheme)) return 0;
  return emoji.test(grapheme) || isWide(code) ? 2 : 1;
}

function isWide(code: number): boolean {
  return wideRanges.some(([first, last]) => code >= first && code <= last);
}
