export interface Flag {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly multiple?: boolean;
  /** Placeholder for the value in the help, such as `URL`. */
  readonly value?: string;
  /** Whether an empty value is allowed; usually it is a variable that was not set. */
  readonly mayBeEmpty?: boolean;
  /** Allowed values. */
  readonly choices?: readonly string[];
  readonly about: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** Flags that every command takes. */
export const commonFlags: Flags = {
  verbose: { type: 'boolean', about: 'show the request id and the cause of an error' },
  'no-color': { type: 'boolean', about: 'no colours; same as NO_COLOR' },
  help: { type: 'boolean', short: 'h', about: 'show this help' },
};
