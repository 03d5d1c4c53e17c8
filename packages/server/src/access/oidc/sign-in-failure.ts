/** Why nobody was signed in. */
export type SignInFailureCode = 'cancelled' | 'no_role' | 'stale' | 'too_large' | 'unavailable' | 'failed';

export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly code: SignInFailureCode;

  constructor(code: SignInFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
