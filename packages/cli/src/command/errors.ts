import { exitCodes } from './exit-codes.ts';

/** A failure fully explained by its message. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? exitCodes.error;
  }
}

interface Mistake {
  readonly given: string;
  readonly known: readonly string[];
  /** Advice when no known word is similar. */
  readonly otherwise?: string | undefined;
}

/** The command line is wrong. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
  /** A word that may be misspelt. */
  readonly mistake: Mistake | undefined;

  constructor(message: string, mistake?: Mistake) {
    super(message, { exitCode: exitCodes.usage });
    this.mistake = mistake;
  }
}

/** Why a file could not be used, without the code, the call and the path that Node.js adds. */
export function fileReason(error: unknown): string {
  return (error as Error).message.replace(/^E[A-Z0-9]+: (.*?), [a-z]+(?: '.*')?$/s, '$1');
}
