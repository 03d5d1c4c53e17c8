/** What a browser keeps while it is at the issuer. It is not encrypted: it is of use only to that browser. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

export type SignInFailureCode = 'cancelled' | 'no_role' | 'stale' | 'too_large' | 'unavailable' | 'failed';

/** Why nobody was signed in. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly code: SignInFailureCode;

  constructor(code: SignInFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export function encodeAttempt(attempt: SignInAttempt): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url');
}

/** Undefined for text that `encodeAttempt` did not make. */
export function decodeAttempt(text: string | undefined): SignInAttempt | undefined {
  try {
    const { state, nonce, verifier, returnTo } = JSON.parse(Buffer.from(text ?? '', 'base64url').toString());
    const isWhole = [state, nonce, verifier, returnTo].every((each) => typeof each === 'string' && each);
    return isWhole ? { state, nonce, verifier, returnTo: safeReturnPath(returnTo) } : undefined;
  } catch {
    return undefined;
  }
}

const anyOrigin = 'http://roster.invalid';

/** The path if it leads to this server, else the start page. */
export function safeReturnPath(path: string | undefined): string {
  if (path === undefined || !path.startsWith('/') || !URL.canParse(path, anyOrigin)) return '/';
  const { origin, pathname, search, hash } = new URL(path, anyOrigin);
  // Steps such as `/..//` make a path that browsers would read as the name of another server.
  return origin === anyOrigin && !/^\/[/\\]/.test(pathname) ? pathname + search + hash : '/';
}
