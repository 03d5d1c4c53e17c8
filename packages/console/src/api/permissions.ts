import type { Principal, Role } from '@roster/client';

/** Actions in the console beyond viewing. */
export type Action = 'write_resources' | 'create_stations' | 'edit_types' | 'share_views' | 'manage_tokens';

const needed: Readonly<Record<Action, { readonly role: Role; readonly overEverything: boolean }>> = {
  write_resources: { role: 'writer', overEverything: false },
  create_stations: { role: 'admin', overEverything: false },
  edit_types: { role: 'admin', overEverything: true },
  share_views: { role: 'admin', overEverything: true },
  manage_tokens: { role: 'admin', overEverything: false },
};

/** Each includes the previous one. `source` stands apart. */
const roles: readonly Role[] = ['reader', 'writer', 'admin'];

/** The server decides; this only hides actions that it would refuse. */
export function mayDo({ role, scopes }: Principal, action: Action): boolean {
  const { role: least, overEverything } = needed[action];
  const isEnough = roles.indexOf(role) >= roles.indexOf(least);
  return isEnough && (!overEverything || scopes.some(coversEverything));
}

/** `**`, or any name at each level: `subscriptions/*` and so on. */
function coversEverything(scope: string): boolean {
  return /^(\w+\/\*\/)*(\*\*|\w+\/\*)$/.test(scope);
}

/** The roles that a role can grant. */
export function rolesUpTo(role: Role): readonly Role[] {
  return role === 'admin' ? [...roles, 'source'] : roles.slice(0, roles.indexOf(role) + 1);
}
