import type { VersionCondition } from '@roster/contract';

/** Whether what has this version, or is absent without one, may be written. */
export function meetsCondition(
  version: string | undefined,
  condition: VersionCondition | undefined,
): boolean {
  if (condition === undefined) return true;
  if (condition === 'absent') return version === undefined;
  return version !== undefined && (condition === 'present' || condition.version === version);
}
