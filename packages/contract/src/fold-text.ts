/** Texts that differ only in case, accents or width are equal when folded. */
export function foldText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  // Upper case first: it turns ß into SS.
  return (
    text
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .toUpperCase()
      .toLowerCase()
      // At the end of a word only.
      .replaceAll('ς', 'σ')
      .normalize('NFC')
  );
}
