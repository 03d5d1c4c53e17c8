import { defaultLocale, type ResourceType, resourceDefaults } from '@roster/contract';

/** The types of a batch, each with the first label given for it. */
export type SeenTypes = ReadonlyMap<string, string | undefined>;

/** Adds a type, or the first label of a known one. */
export function noteType(
  seen: Map<string, string | undefined>,
  typeKey: string,
  label: string | undefined,
): void {
  if (seen.get(typeKey) !== undefined) return;
  if (label !== undefined || !seen.has(typeKey)) seen.set(typeKey, label);
}

/** The catalog entry for a new type of a batch. */
export function seenType(seen: SeenTypes, key: string): ResourceType {
  const label = seen.get(key);
  const { product, alertable } = resourceDefaults;
  return { key, labels: label === undefined ? {} : { [defaultLocale]: label }, product, alertable };
}
