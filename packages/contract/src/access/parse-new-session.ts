import { limits } from '../limits.ts';
import { readMembers, throwInvalidBody } from '../write/json-body.ts';

/** The characters of tokens and JWTs. */
const shape = /^[\w.-]+$/;

/** The token to sign in with, from a parsed JSON body. */
export function parseNewSession(input: unknown): string {
  const errors: string[] = [];
  const { token } = readMembers(input, ['token'], errors);
  const credential = typeof token === 'string' ? token.trim() : '';
  if (!shape.test(credential)) errors.push('token is not a valid token: it is mistyped or cut off');
  else if (credential.length > limits.maxCredentialLength)
    errors.push(`token may have at most ${limits.maxCredentialLength} characters, got ${credential.length}`);
  throwInvalidBody(errors);
  return credential;
}
