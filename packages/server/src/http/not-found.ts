import { RosterError } from '@roster/contract';

export function notFound(hint = 'see /docs for what there is'): RosterError {
  return new RosterError('route_not_found', `there is nothing at this path; ${hint}`);
}
