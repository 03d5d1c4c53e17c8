import type { History, PastChange, StationClient } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { readRevision } from '../../command/read-revision.ts';
import { readTimeRange, timeForms } from '../../command/read-time.ts';
import { connectionFlags, openStation } from '../../connection/connection.ts';
import { tellOutages } from '../../connection/outages.ts';
import { showFields, summariseFields } from '../../output/render-change.ts';
import { showState } from '../../output/resource-view.ts';
import { collect, printFollowed, printRows, rowFlags, sortRows } from '../../output/rows.ts';
import { followStates, type ReadSources, showStates } from '../../output/stale-states.ts';
import type { View } from '../../output/view.ts';
import { escapeUnprintable } from '../../terminal/escape-unprintable.ts';
import { showTime } from '../../terminal/format-numbers.ts';
import type { Style } from '../../terminal/paint.ts';
import { readSlice, takeSlice, viewOfSlice } from './slice.ts';

const changeStyles: Readonly<Record<PastChange['change'], Style>> = {
  created: 'green',
  updated: 'yellow',
  removed: 'red',
};

const view: View<PastChange> = {
  columns: [
    {
      name: 'changed_at',
      header: 'TIME (UTC)',
      value: (row) => row.changed_at,
      show: (row) => showTime(row.changed_at),
    },
    {
      name: 'change',
      header: 'CHANGE',
      value: (row) => row.change,
      style: (row) => changeStyles[row.change],
    },
    { name: 'display_name', header: 'DISPLAY NAME', value: (row) => row.resource.display_name },
    { name: 'resource_id', header: 'ID', value: (row) => row.resource_id, isSpare: true },
    {
      name: 'fields',
      header: 'FIELDS',
      value: (row) => (isBornAlerting(row) ? `state ${row.resource.state}` : summariseFields(row.fields)),
      show: (row) => (isBornAlerting(row) ? showState(row.resource.state) : showFields(row.fields)),
    },
    { name: 'changed_by', header: 'BY', value: (row) => row.changed_by ?? '', isWide: true },
    { name: 'revision', header: 'REVISION', value: (row) => row.revision, isWide: true },
  ],
  nameOf: (row) => row.resource_id,
  nothing: 'no changes',
};

export const changes: Command = {
  name: 'changes',
  usage: '[STATION] [FLAGS]',
  about:
    'Shows what changed in a station, oldest first, as far back as the server keeps its history. Says so if you ' +
    'asked for older changes.',
  takes: [0, 1],
  flags: {
    since: { type: 'string', value: 'REVISION', about: 'only changes after this revision' },
    after: {
      type: 'string',
      value: 'TIME',
      about: `only changes made at this time or later; ${timeForms}`,
    },
    before: { type: 'string', value: 'TIME', about: 'only changes made before this time' },
    'state-changes': { type: 'boolean', about: 'only changes of the state' },
    resource: { type: 'string', value: 'ID', about: 'only changes of this resource' },
    limit: { type: 'string', value: 'N', about: 'at most this many' },
    follow: {
      type: 'boolean',
      short: 'f',
      about: 'keep printing changes until interrupted; with --after 0s, only new ones',
    },
    ...rowFlags(view.columns.map(({ name }) => name)),
    ...connectionFlags,
  },
  examples: [
    [
      'roster changes demo/sample/zone-1/station-1 --resource res-c3794a08ca26',
      'the history of one resource',
    ],
    ['roster changes --after 12h --before 4h --state-changes', 'what happened last night'],
    ['roster changes --since 6cofiw0gzz.41 -o ndjson', 'recent changes, for a script'],
    ['roster changes --follow --after 0s', 'every change from now on, as it happens'],
    ['roster changes --follow --after 1h --state-changes', 'the last hour of alerts, and what comes next'],
  ],
  run: runChanges,
};

async function runChanges(call: Call): Promise<void> {
  const { given } = call;
  if (given.isSet('follow')) refuseEnds(given);
  const station = await openStation(call, given.positionals[0]);
  const [changedAfter, changedBefore] = readTimeRange(given, ['after', 'before']);
  const history = station.manage.history({
    since: await readRevision(given, 'since'),
    resourceId: given.text('resource'),
    changedAfter,
    changedBefore,
    stateChanges: given.isSet('state-changes') ? true : undefined,
    size: 1000,
  });
  const read: ReadSources = (options) => station.manage.sources(options);
  if (given.isSet('follow')) {
    const follow = () => printFollowed(followHistory(station, history, call), view, call);
    return followStates(call, read, follow);
  }
  const slice = readSlice(given);
  await showStates(call, read, async () => {
    await printRows(takeSlice(sortRows(history, view, call), slice), viewOfSlice(view, slice), call);
    const forgotten = given.isSet('since') ? undefined : explainForgotten(history, changedAfter);
    if (forgotten !== undefined) await call.terminal.tell(escapeUnprintable(forgotten));
  });
}

function refuseEnds(given: Call['given']): void {
  for (const flag of ['limit', 'sort', 'before']) {
    if (!given.isSet(flag)) continue;
    throw new UsageError(
      `--${flag} cannot be combined with --follow, which prints changes in order and without end`,
    );
  }
}

/** Undefined if all changes after that time are kept. */
function explainForgotten({ from }: History, after: Date | undefined): string | undefined {
  if (from === undefined || from.revision.endsWith('.0')) return undefined;
  const { revision, time } = from;
  if (after !== undefined && time !== null && after.getTime() > Date.parse(time)) return undefined;
  return `history begins ${time ?? `after revision ${revision}`}; older changes were forgotten`;
}

/** The history so far, then every new revision. */
async function* followHistory(
  station: StationClient,
  history: History,
  call: Call,
): AsyncGenerator<readonly PastChange[]> {
  const { given } = call;
  yield await collect(history);
  const asked = { since: history.position, resourceId: given.text('resource'), list: false };
  const watch = station.manage.watch(asked, tellOutages(call));
  const isAsked = given.isSet('state-changes') ? isStateChange : () => true;
  for await (const event of watch) {
    const found = event.kind === 'changed' ? event.changes.filter(isAsked) : [];
    if (found.length > 0) yield found;
  }
}

function isBornAlerting({ change, resource: { state } }: PastChange): boolean {
  return change === 'created' && state !== inactive;
}

const inactive = 'ALERTSTATE_INACTIVE';

/** A resource that does not exist counts as inactive, as in the history. */
function isStateChange({ change, fields, resource }: PastChange): boolean {
  return change === 'updated' ? fields?.state !== undefined : resource.state !== inactive;
}
