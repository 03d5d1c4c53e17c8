import { exitCodes } from './command.ts';

/** A failure that is explained completely by its message. */
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
  /** Where to look when no known word is near. */
  readonly otherwise?: string;
}

/** The command line is wrong. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
  /** A word that may be one of the known ones, misspelt. */
  readonly mistake: Mistake | undefined;

  constructor(message: string, mistake?: Mistake) {
    super(message, { exitCode: exitCodes.usage });
    this.mistake = mistake;
  }
}
