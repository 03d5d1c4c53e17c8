/** Something that the palette can do: go somewhere, or act. */
export interface PaletteItem {
  readonly id: string;
  readonly text: string;
  /** Said after the text, to tell those of the same name apart. */
  readonly more?: string | undefined;
  readonly href?: string;
  readonly act?: () => void;
}

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

const mostPerGroup = 6;

/** The items that contain every word, those that begin with the first word before the others. */
export function matching(items: readonly PaletteItem[], wanted: string): readonly PaletteItem[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (item: PaletteItem) => `${item.text} ${item.more ?? ''}`.toLowerCase();
  const starts = (item: PaletteItem) => Number(!item.text.toLowerCase().startsWith(words[0] ?? ''));
  return items
    .filter((item) => words.every((word) => text(item).includes(word)))
    .toSorted((a, b) => starts(a) - starts(b))
    .slice(0, mostPerGroup);
}
