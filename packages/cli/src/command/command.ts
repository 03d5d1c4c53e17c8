import type { Terminal } from '../terminal/terminal.ts';
import type { Arguments } from './arguments.ts';
import type { Flags } from './flags.ts';

export interface Command {
  /** One word, or two such as `station create`. */
  readonly name: string;
  /** The arguments in order; brackets mark optional ones. */
  readonly usage: string;
  readonly about: string;
  readonly flags: Flags;
  /** Number of arguments, flags not counted. */
  readonly takes: readonly [min: number, max: number];
  /** Command lines with their effect. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Resolves to the exit code, or to undefined for 0. */
  run(call: Call): Promise<number> | Promise<void>;
}

/** One run of a command. */
export interface Call {
  readonly given: Arguments;
  readonly terminal: Terminal;
  readonly environment: NodeJS.ProcessEnv;
}

interface TableEntry {
  /** One line for `roster help`. */
  readonly summary: string;
  /** Loaded on demand, to keep the start of every command fast. */
  load(): Promise<Command>;
}

export type CommandTable = Readonly<Record<string, TableEntry>>;
