import { readMembers, refuseFaults } from '../json-body.ts';

/** The token that someone signs in with, from a body as it came out of JSON. */
export function parseNewSession(input: unknown): string {
  const faults: string[] = [];
  const { token } = readMembers(input, ['token'], faults);
  if (typeof token !== 'string' || token.trim() === '') faults.push('token must be the text of a token');
  refuseFaults(faults);
  return (token as string).trim();
}
