import { hash } from 'node:crypto';
import { quote, type ResourceType, RosterError, type VersionCondition } from '@roster/contract';
import { meetsCondition } from './version-condition.ts';

/** Equal for types that are equal in every field. */
export function typeVersion({ key, labels, product, alertable }: ResourceType): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([key, sorted, product, alertable])).slice(0, 16);
}

/** Throws `type_mismatch` unless the known type meets the condition. */
export function requireTypeCondition(
  key: string,
  known: ResourceType | undefined,
  condition: VersionCondition | undefined,
): void {
  if (!meetsCondition(known && typeVersion(known), condition)) throw typeMismatch(key, known !== undefined);
}

export function typeMismatch(key: string, isKnown: boolean): RosterError {
  const state = isKnown ? 'is not what the condition names' : 'does not exist';
  return new RosterError('type_mismatch', `the resource type ${quote(key)} ${state}; nothing was written`);
}
