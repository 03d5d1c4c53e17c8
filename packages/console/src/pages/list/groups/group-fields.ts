import { labelKey } from '../../../navigation/filter-parameters.ts';

const known = ['resource_type', 'product', 'gpu_model', 'sku'];
const places = ['station', 'zone', 'subscription'];

export function isGroupField(field: string): boolean {
  return known.includes(field) || places.includes(field) || labelKey(field) !== undefined;
}

/** What a list can be grouped by, and what it is grouped by. */
export function groupFields(
  isEverywhere: boolean,
  labelKeys: readonly string[],
  current: string | undefined,
): string[] {
  const fields = [...(isEverywhere ? places : []), ...known, ...labelKeys.map((key) => `label.${key}`)];
  if (current !== undefined && isGroupField(current)) fields.push(current);
  return [...new Set(fields)];
}
