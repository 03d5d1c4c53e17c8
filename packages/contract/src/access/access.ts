import type { Role } from './role.ts';

/**
 * Who may use an operation: anyone, signed in or not, or callers of a role. For those, `over` tells what their
 * scopes must cover: the `station` in the path, whether or not it exists; nothing for an operation that answers with
 * its caller's `own` share alone; or `everything`.
 */
export type Access = 'open' | { readonly role: Role; readonly over: 'station' | 'own' | 'everything' };
