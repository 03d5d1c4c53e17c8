/** Each includes the previous: read; write resources; administer stations, types and tokens. */
export const peopleRoles = ['reader', 'writer', 'admin'] as const;

/** `source` may send alerts and nothing else. */
export const roles = [...peopleRoles, 'source'] as const;

export type Role = (typeof roles)[number];

export function includesRole(role: Role, needed: Role): boolean {
  if (role === needed || role === 'admin') return true;
  return role === 'writer' && needed === 'reader';
}
