import { hash } from 'node:crypto';
import { quote, type ResourceType, RosterError, type TypeCondition } from '@roster/contract';

/** Equal for types that are equal in every field. */
export function typeVersion({ key, labels, product, alertable }: ResourceType): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([key, sorted, product, alertable])).slice(0, 16);
}

/** Throws `type_mismatch` unless the known type meets the condition. */
export function requireTypeCondition(
  key: string,
  known: ResourceType | undefined,
  condition: TypeCondition | undefined,
): void {
  if (condition === undefined) return;
  if (condition === 'absent' ? known === undefined : known !== undefined && holds(known, condition)) return;
  throw typeMismatch(key, known !== undefined);
}

export function typeMismatch(key: string, isKnown: boolean): RosterError {
  const state = isKnown ? 'is not what the condition names' : 'does not exist';
  return new RosterError('type_mismatch', `the resource type ${quote(key)} ${state}; nothing was written`);
}

function holds(known: ResourceType, condition: Exclude<TypeCondition, 'absent'>): boolean {
  return condition === 'present' || condition.version === typeVersion(known);
}
