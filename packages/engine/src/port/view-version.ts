import { hash } from 'node:crypto';
import {
  limits,
  quote,
  RosterError,
  stationPath,
  type VersionCondition,
  type ViewSearch,
} from '@roster/contract';
import type { StoredView } from './store.ts';
import { meetsCondition } from './version-condition.ts';

/** Owns the views that everyone sees. */
export const sharedOwner = 'shared';

const tokenPrefix = 'token:';

/** Owns the views of a token. */
export function tokenOwner(tokenId: string): string {
  return tokenPrefix + tokenId;
}

/** The token that an owner stands for, if it does. */
export function tokenOfOwner(owner: string): string | undefined {
  return owner.startsWith(tokenPrefix) ? owner.slice(tokenPrefix.length) : undefined;
}

/** Equal for views that search for the same in the same place. */
export function viewVersion({ station, query }: ViewSearch): string {
  return hash('sha256', JSON.stringify([station ? stationPath(station) : null, query])).slice(0, 16);
}

/** Throws `view_mismatch` unless the known view meets the condition. */
export function requireViewCondition(
  name: string,
  known: StoredView | undefined,
  condition: VersionCondition | undefined,
): void {
  if (meetsCondition(known && viewVersion(known), condition)) return;
  const state = known ? 'is not what the condition names' : 'does not exist';
  throw new RosterError('view_mismatch', `the view ${quote(name)} ${state}; nothing was written`);
}

/** Throws `too_many_views` if there is no room for another one. */
export function requireRoomForView({ owned, total }: { owned: number; total: number }): void {
  if (owned >= limits.maxViewsPerOwner) throw tooMany(owned, limits.maxViewsPerOwner, ' of this owner');
  if (total >= limits.maxViews) throw tooMany(total, limits.maxViews, '');
}

function tooMany(count: number, max: number, whose: string): RosterError {
  return new RosterError(
    'too_many_views',
    `there are ${count} views${whose}, the maximum is ${max}; delete those that are not used`,
  );
}
