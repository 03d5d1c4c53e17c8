import type { Arguments } from './arguments.ts';
import type { Terminal } from './terminal.ts';

export interface Flag {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands for the value in the help, such as `URL`. */
  readonly value?: string;
  /** Whether an empty text is a value; elsewhere it is most often a variable that was not set. */
  readonly mayBeEmpty?: boolean;
  /** The only values that are allowed. */
  readonly choices?: readonly string[];
  readonly about: string;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Command {
  /** One word, or two such as `station create`. */
  readonly name: string;
  /** The arguments in order; those in brackets may be left out. */
  readonly usage: string;
  readonly about: string;
  readonly flags: Flags;
  /** How many arguments there may be beside flags. */
  readonly takes: readonly [min: number, max: number];
  /** Each a command line and what it does. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Resolves to the exit code, 0 unless given. */
  run(call: Call): Promise<number> | Promise<void>;
}

/** One run of a command. */
export interface Call {
  readonly given: Arguments;
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
}

export const exitCodes = {
  fine: 0,
  error: 1,
  usage: 2,
  notFound: 3,
  denied: 4,
  unreachable: 5,
} as const;
