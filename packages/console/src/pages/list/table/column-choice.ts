import type { Preferences } from '../../../preferences/preferences.ts';

type ColumnChoice = Pick<Preferences, 'hiddenColumns' | 'shownColumns'>;

interface Shown {
  /** Columns without any value. */
  readonly empty: ReadonlySet<string>;
  readonly isEverywhere: boolean;
}

/** A column without any value is shown only to those who ask for it. */
export function isColumnShown(id: string, choice: ColumnChoice, { empty, isEverywhere }: Shown): boolean {
  if (id === 'station' && !isEverywhere) return false;
  return !choice.hiddenColumns.includes(id) && (!empty.has(id) || choice.shownColumns.includes(id));
}

const lastInView = 3;

/** Moves the column that a list is ordered by to where it is in view. */
export function withOrderInView<Column extends { readonly id: string }>(
  columns: readonly Column[],
  field: string,
): readonly Column[] {
  const at = columns.findIndex(({ id }) => id === field);
  return at <= lastInView ? columns : columns.toSpliced(at, 1).toSpliced(lastInView, 0, columns[at]!);
}

/** The choice after some columns were turned on or off. */
export function chooseColumns(
  { hiddenColumns, shownColumns }: ColumnChoice,
  before: readonly string[],
  after: readonly string[],
): ColumnChoice {
  const on = after.filter((id) => !before.includes(id));
  const off = before.filter((id) => !after.includes(id));
  return {
    hiddenColumns: [...new Set([...hiddenColumns, ...off])].filter((id) => !on.includes(id)),
    shownColumns: [...new Set([...shownColumns, ...on])].filter((id) => !off.includes(id)),
  };
}
