import { safeReturnPath } from './safe-return-path.ts';

/** What a browser keeps while it is away at the issuer. It needs no key: it is worth something to that browser alone. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

export function encodeAttempt(attempt: SignInAttempt): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url');
}

/** Undefined for what was not made by `encodeAttempt`. */
export function decodeAttempt(text: string | undefined): SignInAttempt | undefined {
  try {
    const { state, nonce, verifier, returnTo } = JSON.parse(Buffer.from(text ?? '', 'base64url').toString());
    const isWhole = [state, nonce, verifier, returnTo].every(
      (each) => typeof each === 'string' && each !== '',
    );
    return isWhole ? { state, nonce, verifier, returnTo: safeReturnPath(returnTo) } : undefined;
  } catch {
    return undefined;
  }
}
