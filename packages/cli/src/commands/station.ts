import { createInterface } from 'node:readline/promises';
import type { Call, Command } from '../command.ts';
import { connectionFlags, openStation } from '../connection.ts';
import { CommandError, UsageError } from '../errors.ts';
import { plural } from '../output/figures.ts';
import { printOne, valueFlags } from '../output/value.ts';
import { readRevision } from '../read-revision.ts';
import { readablePath } from '../readable-path.ts';

export const stationCreate: Command = {
  name: 'station create',
  usage: '[STATION] [FLAGS]',
  about: 'Creates a station without resources. One that is there already stays as it is.',
  takes: [0, 1],
  flags: { ...valueFlags, ...connectionFlags },
  examples: [['roster station create demo/lab/zone-1/gpus', 'a station to import into']],
  async run(call) {
    const station = await openStation(call, call.given.positionals[0]);
    const { created, station: view } = await station.manage.create();
    await printOne(
      view,
      () => `${created ? 'created' : 'was there already'}: ${readablePath(view.station)}\n`,
      call,
    );
  },
};

export const stationDelete: Command = {
  name: 'station delete',
  usage: 'STATION [FLAGS]',
  about:
    'Deletes a station and all its resources. Asks before it does so, or wants --yes where nobody can be asked. The ' +
    'station is always an argument, and never taken from ROSTER_STATION.',
  takes: [1, 1],
  flags: {
    yes: { type: 'boolean', short: 'y', about: 'do not ask' },
    'if-revision': {
      type: 'string',
      value: 'REVISION',
      about: 'only if the station is still at this revision',
    },
    ...connectionFlags,
  },
  examples: [
    ['roster station delete demo/lab/zone-1/gpus', 'asks first'],
    ['roster station delete demo/lab/zone-1/gpus --yes', 'in a script'],
  ],
  run: runDelete,
};

async function runDelete(call: Call): Promise<void> {
  const { given, terminal } = call;
  const station = await openStation(call, call.given.positionals[0]);
  const ifRevision = await readRevision(given, 'if-revision');
  if (!given.isSet('yes')) {
    if (!process.stdin.isTTY)
      throw new UsageError('nobody can be asked here; give --yes to delete the station');
    const { resources } = await station.manage.get();
    const question = `Delete ${readablePath(station.path)} with ${plural(resources.total, 'resource')}? [y/N] `;
    if (!(await confirm(question))) throw new CommandError('nothing was deleted');
  }
  await station.manage.delete({ ifRevision });
  await terminal.tell(`deleted: ${readablePath(station.path)}`);
}

/** No answer at all, by Ctrl-D, is a no. */
async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question(question), closed]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
