import { RosterError } from '../errors.ts';
import { quote } from '../quote.ts';
import { type Revision, readRevision } from '../revision/revision.ts';

/** The required revision; undefined if there is none. */
export function parseIfMatch(header: string | undefined): Revision | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const text = /^"([^"]*)"$/.exec(header.trim())?.[1];
  const revision = text === undefined ? undefined : readRevision(text);
  if (revision !== undefined) return revision;
  throw new RosterError(
    'invalid_parameter',
    `If-Match must be one revision in double quotes, such as "k3v9x0a1bc.42" (see the header Roster-Revision of any answer), got ${quote(header)}`,
    { parameter: 'If-Match' },
  );
}
