import { InvalidSettings, type TracedSettings, traceSettings } from '@roster/server';
import type { Call } from './command.ts';
import { CommandError } from './errors.ts';
import { plural } from './output/figures.ts';
import { visible } from './output/visible.ts';

/** The settings that `roster serve` would run with here and with these flags. Tells all that is wrong with them. */
export async function readServerSettings(
  { environment, terminal }: Call,
  flags: Readonly<Record<string, string>>,
): Promise<TracedSettings> {
  try {
    return traceSettings({ environment, directory: '.', flags });
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    for (const fault of error.faults) await terminal.tell(visible(fault));
    throw new CommandError(`${plural(error.faults.length, 'fault')} in the settings`, { cause: error });
  }
}
