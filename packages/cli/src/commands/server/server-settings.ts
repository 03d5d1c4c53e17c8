import { InvalidSettings, type TracedSettings, traceSettings } from '@roster/server';
import type { Call } from '../../command/command.ts';
import { CommandError } from '../../command/errors.ts';
import type { Flags } from '../../command/flags.ts';
import { escapeUnprintable } from '../../terminal/escape-unprintable.ts';
import { plural } from '../../terminal/format-numbers.ts';

export const configFlag: Flags = {
  config: {
    type: 'string',
    value: 'FILE',
    about: 'the configuration file (default: ROSTER_CONFIG or ./roster.yaml)',
  },
};

/** In the form that the server reads flags. */
export function givenConfig({ given }: Call): Record<string, string> {
  const file = given.text('config');
  return file === undefined ? {} : { config: file };
}

/** The settings that `roster serve` would use with these flags. Reports every error in them. */
export async function readServerSettings(
  { environment, terminal }: Call,
  flags: Readonly<Record<string, string>>,
  fileText?: string,
): Promise<TracedSettings> {
  try {
    const text = fileText === undefined ? {} : { fileText };
    return traceSettings({ environment, directory: '.', flags, ...text });
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    for (const line of error.errors) await terminal.tell(escapeUnprintable(line));
    throw new CommandError(`${plural(error.errors.length, 'error')} in the settings`, { cause: error });
  }
}
