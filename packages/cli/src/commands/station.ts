import { createInterface } from 'node:readline/promises';
import type { Call, Command } from '../command/command.ts';
import { CommandError, UsageError } from '../command/errors.ts';
import { readRevision } from '../command/read-revision.ts';
import { connectionFlags, openStation } from '../connection/connection.ts';
import { printValue, valueFlags } from '../output/print-value.ts';
import { readablePath } from '../output/readable-path.ts';
import { plural } from '../terminal/format-numbers.ts';

export const stationCreate: Command = {
  name: 'station create',
  usage: '[STATION] [FLAGS]',
  about: 'Creates an empty station. Does nothing if it exists.',
  takes: [0, 1],
  flags: { ...valueFlags, ...connectionFlags },
  examples: [['roster station create demo/lab/zone-1/gpus', 'a station to import into']],
  async run(call) {
    const station = await openStation(call, call.given.positionals[0]);
    const { created, station: view } = await station.manage.create();
    await printValue(
      view,
      () => `${created ? 'created' : 'already exists'}: ${readablePath(view.station)}\n`,
      call,
    );
  },
};

export const stationDelete: Command = {
  name: 'station delete',
  usage: 'STATION [FLAGS]',
  about:
    'Deletes a station and all its resources. Asks for confirmation; without a terminal, --yes is required. ' +
    'STATION is never taken from ROSTER_STATION.',
  takes: [1, 1],
  flags: {
    yes: { type: 'boolean', short: 'y', about: 'skip the confirmation' },
    'if-revision': {
      type: 'string',
      value: 'REVISION',
      about: 'fail unless the station is at this revision',
    },
    ...connectionFlags,
  },
  examples: [
    ['roster station delete demo/lab/zone-1/gpus', 'ask first'],
    ['roster station delete demo/lab/zone-1/gpus --yes', 'in a script'],
  ],
  run: runDelete,
};

async function runDelete(call: Call): Promise<void> {
  const { given, terminal } = call;
  const station = await openStation(call, call.given.positionals[0]);
  const ifRevision = await readRevision(given, 'if-revision');
  if (!given.isSet('yes')) {
    if (!process.stdin.isTTY) throw new UsageError('not a terminal: pass --yes to confirm');
    const { resources } = await station.manage.get();
    const question = `Delete ${readablePath(station.path)} with ${plural(resources.total, 'resource')}? [y/N] `;
    if (!(await confirm(question))) throw new CommandError('nothing was deleted');
  }
  await station.manage.delete({ ifRevision });
  await terminal.tell(`deleted: ${readablePath(station.path)}`);
}

/** Ctrl-D means no. */
async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question(question), closed]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
