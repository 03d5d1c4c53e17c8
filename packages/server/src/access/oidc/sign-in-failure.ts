/** Why nobody was signed in. */
export type SignInFault = 'cancelled' | 'no_role' | 'stale' | 'too_large' | 'unavailable' | 'failed';

export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly fault: SignInFault;

  constructor(fault: SignInFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}
