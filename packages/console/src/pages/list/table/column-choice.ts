import type { Preferences } from '../../../preferences/preferences.ts';

type ColumnChoice = Pick<Preferences, 'hiddenColumns' | 'showsLabels'>;

interface Shown {
  readonly hasLabels: boolean;
  readonly isEverywhere: boolean;
}

/** Without any labels, their column is shown only to those who ask for it. */
export function isColumnShown(id: string, choice: ColumnChoice, { hasLabels, isEverywhere }: Shown): boolean {
  if (id === 'station' && !isEverywhere) return false;
  return !choice.hiddenColumns.includes(id) && (id !== 'labels' || hasLabels || choice.showsLabels);
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
  { hiddenColumns, showsLabels }: ColumnChoice,
  before: readonly string[],
  after: readonly string[],
): ColumnChoice {
  const isOn = (id: string) => after.includes(id) && !before.includes(id);
  const off = before.filter((id) => !after.includes(id));
  return {
    hiddenColumns: [...new Set([...hiddenColumns, ...off])].filter((id) => !isOn(id)),
    showsLabels: isOn('labels') || (showsLabels && !off.includes('labels')),
  };
}
