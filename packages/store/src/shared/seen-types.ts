import { defaultLocale, type ResourceType, resourceDefaults } from '@roster/contract';

/** The types of a batch, each with the first label given for it. */
export type SeenTypes = ReadonlyMap<string, string | undefined>;

/** Adds a type, or the label of one that had none so far. */
export function noteType(
  seen: Map<string, string | undefined>,
  typeKey: string,
  label: string | undefined,
): void {
  if (seen.get(typeKey) !== undefined) return;
  if (label !== undefined || !seen.has(typeKey)) seen.set(typeKey, label);
}

/** What the catalog gets for a type that a batch has brought. */
export function seenType(seen: SeenTypes, key: string): ResourceType {
  const label = seen.get(key);
  const { product, alertable } = resourceDefaults;
  return { key, labels: label === undefined ? {} : { [defaultLocale]: label }, product, alertable };
}
