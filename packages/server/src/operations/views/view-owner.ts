import { hash } from 'node:crypto';
import { tokenOwner } from '@roster/engine';
import type { Principal } from '../../http/principal.ts';

/** Who owns the views that a principal saves. A subject can be any text, also the id of a token. */
export function viewOwner({ kind, id }: Principal): string {
  if (kind === 'token') return tokenOwner(id);
  return kind === 'oidc' ? `oidc:${hash('sha256', id)}` : kind;
}
