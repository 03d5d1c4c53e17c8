/** What a caller may do, each including those before it: read; write resources; administer stations, types and tokens. */
export const roles = ['reader', 'writer', 'admin'] as const;

export type Role = (typeof roles)[number];

export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
