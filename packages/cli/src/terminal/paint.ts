const codes = {
  bold: '1',
  dim: '2',
  red: '31',
  green: '32',
  yellow: '33',
  alarm: '1;31',
} as const;

export type Style = keyof typeof codes;
export type Paint = (style: Style | undefined, text: string) => string;

export const plain: Paint = (_, text) => text;

export const paintWith: Paint = (style, text) =>
  style === undefined ? text : `\x1b[${codes[style]}m${text}\x1b[0m`;
