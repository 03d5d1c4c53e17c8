import type { PastChange } from '@roster/client';
import type { Call, Command } from '../command.ts';
import { connectionFlags, openStation } from '../connection.ts';
import { summariseFields } from '../output/change.ts';
import type { Style } from '../output/paint.ts';
import { printRows, rowFlags, sortRows, type View } from '../output/rows.ts';
import { readPart, takePart } from '../part.ts';

const changeStyles: Readonly<Record<PastChange['change'], Style>> = {
  created: 'green',
  updated: 'yellow',
  removed: 'red',
};

const view: View<PastChange> = {
  columns: [
    { name: 'changed_at', header: 'TIME', value: (row) => row.changed_at },
    {
      name: 'change',
      header: 'CHANGE',
      value: (row) => row.change,
      style: (row) => changeStyles[row.change],
    },
    { name: 'display_name', header: 'DISPLAY NAME', value: (row) => row.resource.display_name },
    { name: 'resource_id', header: 'ID', value: (row) => row.resource_id },
    { name: 'fields', header: 'FIELDS', value: (row) => summariseFields(row.fields) },
    { name: 'revision', header: 'REVISION', value: (row) => row.revision, isWide: true },
  ],
  nameOf: (row) => row.resource_id,
  nothing: 'nothing changed',
};

export const changes: Command = {
  name: 'changes',
  usage: '[STATION] [FLAGS]',
  about:
    'Shows what changed in a station, oldest first: everything that is still known, or only what is newer.',
  takes: [0, 1],
  flags: {
    since: { type: 'string', value: 'REVISION', about: 'only what changed after this revision' },
    resource: { type: 'string', value: 'ID', about: 'only changes of this resource' },
    limit: { type: 'string', value: 'N', about: 'at most this many' },
    ...rowFlags(view.columns.map(({ name }) => name)),
    ...connectionFlags,
  },
  examples: [
    [
      'roster changes demo/sample/zone-1/station-1 --resource res-c3794a08ca26',
      'the history of one resource',
    ],
    [
      'roster changes --since 6cofiw0gzz.41 -o ndjson',
      'what is new, for a script; the station is ROSTER_STATION',
    ],
  ],
  run: runChanges,
};

async function runChanges(call: Call): Promise<void> {
  const { given } = call;
  const station = await openStation(call, call.given.positionals[0]);
  const history = station.manage.history({
    since: given.text('since'),
    resourceId: given.text('resource'),
    size: 1000,
  });
  await printRows(takePart(sortRows(history, view, call), readPart(given)), view, call);
}
