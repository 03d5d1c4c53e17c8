import type { Filters, Resource, StationClient } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { connectionFlags, openStation } from '../../connection/connection.ts';
import { resourceView } from '../../output/resource-view.ts';
import { printFollowed, printRows, rowFlags, sortRows } from '../../output/rows.ts';
import { Progress, watched } from '../../terminal/progress.ts';
import { filterFlags, readFilters } from './filters.ts';
import { readSlice, type Slice, takeSlice } from './slice.ts';

export const list: Command = {
  name: 'list',
  usage: '[STATION] [FLAGS]',
  about:
    'Lists the resources of a station: all of them, unless --limit says otherwise. Works with every server of ' +
    'the interface. --state, --uncovered and --sort run on the client, because the interface has no such ' +
    'filters.',
  takes: [0, 1],
  flags: {
    ...filterFlags,
    state: {
      type: 'string',
      multiple: true,
      value: 'STATE',
      about: 'only this state, such as firing; filtered on the client',
    },
    uncovered: {
      type: 'boolean',
      about: 'only alertable resources without alert rules; filtered on the client',
    },
    limit: { type: 'string', value: 'N', about: 'at most this many' },
    offset: { type: 'string', value: 'N', about: 'skip this many first' },
    'page-size': { type: 'string', value: 'N', about: 'resources per request (default 1000)' },
    watch: {
      type: 'boolean',
      short: 'w',
      about: 'keep printing changes until interrupted; Roster only',
    },
    count: { type: 'boolean', about: 'print only the number of resources' },
    ...rowFlags(resourceView.columns.map(({ name }) => name)),
    ...connectionFlags,
  },
  examples: [
    ['roster list demo/sample/zone-1/station-1 --state firing', 'what is alerting now'],
    [
      'roster list --uncovered --sort resource_type',
      'resources without alert rules, by type, of the station in ROSTER_STATION',
    ],
    ['roster list --type resource_type.compute.gpu_node -o csv > nodes.csv', 'for a spreadsheet'],
    ['roster list --alertable --count', 'number of alertable resources'],
    ['roster list --state firing --watch', 'what is alerting, and every change to it'],
    ['roster list --id @ids.txt -o ndjson | jq .state', 'states of the resources listed in a file'],
  ],
  run: runList,
};

async function runList(call: Call): Promise<void> {
  const { given, terminal } = call;
  const station = await openStation(call, call.given.positionals[0]);
  const isKept = readLocalFilter(call);
  const filters = { ...readFilters(given), ...(given.isSet('uncovered') ? { enabledAlert: true } : {}) };
  if (given.isSet('watch')) return watchRows(call, { station, filters, isKept });
  if (given.isSet('count') && isKept === undefined) {
    return terminal.print(`${await station.count(filters)}\n`);
  }
  const rows = findRows(call, { station, filters, isKept });
  if (given.isSet('count')) return terminal.print(`${await countRows(rows)}\n`);
  await printRows(rows, resourceView, call);
}

type Rows = Iterable<Resource> | AsyncIterable<Resource>;

async function watchRows(call: Call, search: Search): Promise<void> {
  for (const flag of ['count', 'limit', 'offset', 'sort']) {
    if (call.given.isSet(flag)) throw new UsageError(`--${flag} cannot be combined with --watch`);
  }
  const { watchList, watchView } = await import('./watch-list.ts');
  await printFollowed(watchList(search), watchView, call);
}

interface Search {
  readonly station: StationClient;
  readonly filters: Filters;
  /** Filters that the interface lacks; undefined when none is set. */
  readonly isKept: ((resource: Resource) => boolean) | undefined;
}

/** Reads only the requested slice, unless filtering or sorting here needs the whole list. */
function findRows(call: Call, { station, filters, isKept }: Search): Rows {
  const { given, terminal } = call;
  const pageSize = given.count('page-size', 1) ?? 1000;
  const slice = readSlice(given);
  if (slice !== undefined && isKept === undefined && !given.isSet('sort')) {
    return readPages({ station, filters, pageSize, slice });
  }
  const listing = station.listAll(filters, {
    pageSize,
    onNotice: ({ message }) => void terminal.tell(`roster: ${message}`),
  });
  const progress = new Progress(terminal, { title: 'Listing', total: () => listing.total });
  const all = watched(listing, progress, () => 1);
  const rows = sortRows(isKept === undefined ? all : keep(all, isKept), resourceView, call);
  return takeSlice(rows, slice);
}

interface Pages {
  readonly station: StationClient;
  readonly filters: Filters;
  readonly pageSize: number;
  readonly slice: Slice;
}

async function* readPages({ station, filters, pageSize, slice }: Pages): AsyncGenerator<Resource> {
  let revision: string | undefined;
  for (let { offset, limit } = slice; limit > 0; ) {
    const size = Math.min(limit, pageSize);
    const answer = await station.list({ ...filters, offset, size }, { revision });
    const { length } = answer.resources;
    yield* answer.resources.slice(0, limit);
    offset += length;
    limit -= length;
    revision = answer.revision;
    // Some servers return short pages although more resources follow; only the total shows it.
    const isLast = answer.page === null ? length !== size : offset >= answer.page.total;
    if (isLast || length === 0) return;
  }
}

function readLocalFilter({ given }: Call): Search['isKept'] {
  const states = given.list('state')?.map((state) => state.toUpperCase());
  const wantsUncovered = given.isSet('uncovered');
  if (states === undefined && !wantsUncovered) return undefined;
  const wanted = new Set(states?.flatMap((state) => [state, `ALERTSTATE_${state}`]));
  return ({ state, alert_rules_count: rules }) =>
    (states === undefined || wanted.has(state.toUpperCase())) && (!wantsUncovered || rules === 0);
}

async function* keep<T>(items: AsyncIterable<T>, isKept: (item: T) => boolean): AsyncGenerator<T> {
  for await (const item of items) if (isKept(item)) yield item;
}

async function countRows(rows: Rows): Promise<number> {
  let count = 0;
  for await (const _ of rows) count++;
  return count;
}
