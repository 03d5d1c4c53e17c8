import { readMembers, refuseFaults } from '../json-body.ts';
import { limits } from '../limits.ts';

/** All that a token or a JWT is made of. */
const shape = /^[\w.-]+$/;

/** The token that someone signs in with, from a body as it came out of JSON. */
export function parseNewSession(input: unknown): string {
  const faults: string[] = [];
  const { token } = readMembers(input, ['token'], faults);
  const credential = typeof token === 'string' ? token.trim() : '';
  if (!shape.test(credential)) faults.push('token must be the text of a token; this is mistyped or cut off');
  else if (credential.length > limits.maxCredentialLength)
    faults.push(`token may have at most ${limits.maxCredentialLength} characters, got ${credential.length}`);
  refuseFaults(faults);
  return credential;
}
