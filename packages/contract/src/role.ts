/** Each role includes the previous: read; write resources; administer stations, types and tokens. */
export const roles = ['reader', 'writer', 'admin'] as const;

export type Role = (typeof roles)[number];

export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
