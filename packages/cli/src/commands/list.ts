import type { Filters, Resource, StationClient } from '@roster/client';
import type { Call, Command } from '../command.ts';
import { connectionFlags, openStation } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { filterFlags, readFilters } from '../filters.ts';
import { Progress, watched } from '../output/progress.ts';
import { resourceView } from '../output/resource-view.ts';
import { printFollowed, printRows, rowFlags, sortRows } from '../output/rows.ts';
import { type Part, readPart, takePart } from '../part.ts';

export const list: Command = {
  name: 'list',
  usage: '[STATION] [FLAGS]',
  about:
    'Lists the resources of a station: all of them, each once, unless --limit says less. Works with every server of ' +
    'the interface. --state, --uncovered and --sort are done here, over the complete list, since the interface has ' +
    'nothing of the kind.',
  takes: [0, 1],
  flags: {
    ...filterFlags,
    state: {
      type: 'string',
      multiple: true,
      value: 'STATE',
      about: 'only this state, such as firing; done here',
    },
    uncovered: {
      type: 'boolean',
      about: 'only resources that can have alerts and have no alert rules; done here',
    },
    limit: { type: 'string', value: 'N', about: 'at most this many' },
    offset: { type: 'string', value: 'N', about: 'skip this many first' },
    'page-size': { type: 'string', value: 'N', about: 'how many to ask for at a time; 1000 unless given' },
    watch: {
      type: 'boolean',
      short: 'w',
      about: 'go on with what happens to the list, until interrupted; Roster only',
    },
    count: { type: 'boolean', about: 'print only how many there are' },
    ...rowFlags(resourceView.columns.map(({ name }) => name)),
    ...connectionFlags,
  },
  examples: [
    ['roster list demo/sample/zone-1/station-1 --state firing', 'what is alerting now'],
    [
      'roster list --uncovered --sort resource_type',
      'what nobody watches, by type; the station is ROSTER_STATION',
    ],
    ['roster list --type resource_type.compute.gpu_node -o csv > nodes.csv', 'for a spreadsheet'],
    ['roster list --alertable --count', 'how many can have alerts'],
    ['roster list --state firing --watch', 'what is alerting, and what begins and ceases to'],
    ['roster list --id @ids.txt -o ndjson | jq .state', 'the states of the resources in a file'],
  ],
  run: runList,
};

async function runList(call: Call): Promise<void> {
  const { given, terminal } = call;
  const station = await openStation(call, call.given.positionals[0]);
  const isKept = readOwnFilter(call);
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
    if (call.given.isSet(flag)) throw new UsageError(`--${flag} and --watch do not go together`);
  }
  const { watchList, watchView } = await import('./watch-list.ts');
  await printFollowed(watchList(search), watchView, call);
}

interface Search {
  readonly station: StationClient;
  readonly filters: Filters;
  /** What the interface cannot filter by; undefined when nothing of that is asked for. */
  readonly isKept: ((resource: Resource) => boolean) | undefined;
}

/** Only the part that is asked for is read, unless everything is needed to find it. */
function findRows(call: Call, { station, filters, isKept }: Search): Rows {
  const { given, terminal } = call;
  const pageSize = given.count('page-size', 1) ?? 1000;
  const part = readPart(given);
  if (part !== undefined && isKept === undefined && !given.isSet('sort')) {
    return readPages({ station, filters, pageSize, part });
  }
  const listing = station.listAll(filters, {
    pageSize,
    onNotice: ({ message }) => void terminal.tell(`roster: ${message}`),
  });
  const progress = new Progress(terminal, { title: 'Listing', total: () => listing.total });
  const all = watched(listing, progress, () => 1);
  const rows = sortRows(isKept === undefined ? all : keep(all, isKept), resourceView, call);
  return takePart(rows, part);
}

interface Pages {
  readonly station: StationClient;
  readonly filters: Filters;
  readonly pageSize: number;
  readonly part: Part;
}

async function* readPages({ station, filters, pageSize, part }: Pages): AsyncGenerator<Resource> {
  let revision: string | undefined;
  for (let { offset, limit } = part; limit > 0; ) {
    const size = Math.min(limit, pageSize);
    const answer = await station.list({ ...filters, offset, size }, { revision });
    const { length } = answer.resources;
    yield* answer.resources.slice(0, limit);
    offset += length;
    limit -= length;
    revision = answer.revision;
    // Some servers give less than was asked for although there is more; only a total tells.
    const isLast = answer.page === null ? length !== size : offset >= answer.page.total;
    if (isLast || length === 0) return;
  }
}

function readOwnFilter({ given }: Call): Search['isKept'] {
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
