import type { Role } from '../role.ts';

/**
 * Who may use an operation: anyone, signed in or not, or callers with a role. For the latter, `over` says what their
 * scopes must cover: the `station` in the path, whether or not it exists; nothing, if the answer holds only the
 * caller's `own` share; or `everything`.
 */
export type Access = 'open' | { readonly role: Role; readonly over: 'station' | 'own' | 'everything' };
