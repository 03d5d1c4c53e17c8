import { isMalformed, isNotFound } from '@roster/client';

const rosterNotFound = new Set(['station_not_found', 'resource_not_found']);

/** Whether an operation of Roster failed because the server is another one, which has only the documented list. */
export function isOtherServer(error: unknown): boolean {
  return isMalformed(error) || (isNotFound(error) && !rosterNotFound.has(error.code));
}
