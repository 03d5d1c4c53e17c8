import type { Principal, Role } from '@roster/client';

/** What can be done with the console beyond looking. */
export type Action = 'write_resources' | 'create_stations' | 'edit_types' | 'manage_tokens';

const needed: Readonly<Record<Action, { readonly role: Role; readonly overEverything: boolean }>> = {
  write_resources: { role: 'writer', overEverything: false },
  create_stations: { role: 'admin', overEverything: false },
  edit_types: { role: 'admin', overEverything: true },
  manage_tokens: { role: 'admin', overEverything: false },
};

/** Each includes those before it. */
const roles: readonly Role[] = ['reader', 'writer', 'admin'];

/** The server decides; this only keeps the console from offering what it would refuse. */
export function mayDo({ role, scopes }: Principal, action: Action): boolean {
  const { role: least, overEverything } = needed[action];
  const isEnough = roles.indexOf(role) >= roles.indexOf(least);
  return isEnough && (!overEverything || scopes.some(coversEverything));
}

/** `**`, or any name at each level: `subscriptions/*` and so on. */
function coversEverything(scope: string): boolean {
  return /^(\w+\/\*\/)*(\*\*|\w+\/\*)$/.test(scope);
}

/** The roles that someone of a role can give to others. */
export function rolesUpTo(role: Role): readonly Role[] {
  return roles.slice(0, roles.indexOf(role) + 1);
}
