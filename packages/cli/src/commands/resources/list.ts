import type { Filters, RecordView, Resource, SearchFilters, StationClient } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { connectionFlags, openStation } from '../../connection/connection.ts';
import { isOtherServer } from '../../connection/other-server.ts';
import { recordView, resourceView, watchedView } from '../../output/resource-view.ts';
import { printFollowed, rowFlags } from '../../output/rows.ts';
import { followStates, showStates } from '../../output/stale-states.ts';
import { Progress, watched } from '../../terminal/progress.ts';
import { filterFlags, readFilters, readSearchFilters, searchFlags } from './filters.ts';
import {
  orderFlags,
  printSlice,
  readOrder,
  readPageSize,
  readPages,
  type SlicedRows,
  sliceFlags,
  tellHints,
} from './search-rows.ts';
import { readSlice, sliceTotal } from './slice.ts';

export const list: Command = {
  name: 'list',
  usage: '[STATION] [FLAGS]',
  about:
    'Lists the resources of a station: all of them, unless --limit says otherwise. Works with every server of ' +
    `the interface. Only Roster supports --sort, --watch and these filters: ${Object.keys(searchFlags)
      .map((flag) => `--${flag}`)
      .join(', ')}.`,
  takes: [0, 1],
  flags: {
    ...filterFlags,
    ...searchFlags,
    ...sliceFlags,
    watch: {
      type: 'boolean',
      short: 'w',
      about: 'keep printing changes until interrupted; Roster only',
    },
    count: { type: 'boolean', about: 'print only the number of resources' },
    ...rowFlags(
      recordView.columns.map(({ name }) => name),
      '; with --watch, also change and time',
    ),
    ...orderFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster list demo/sample/zone-1/station-1 --state firing', 'what is firing now'],
    ['roster list --state firing --sort state_since', 'what is firing, longest first'],
    [
      'roster list --uncovered --sort resource_type',
      'resources without alert rules, by type, of the station in ROSTER_STATION',
    ],
    ['roster list --text 7f3', 'where is the node called …7f3?'],
    ['roster list --label rack=r12 --label owner=search', 'one rack, one owner'],
    ['roster list --state firing --since-after 1h', 'what began to alert in the last hour'],
    ['roster list --type resource_type.compute.gpu_node -o csv > nodes.csv', 'for a spreadsheet'],
    ['roster list --alertable --count', 'number of alertable resources'],
    ['roster list --state firing --watch', 'what is alerting, and what enters and leaves'],
    ['roster list --id @ids.txt -o ndjson | jq .state', 'states of the resources listed in a file'],
  ],
  run: runList,
};

const documentedColumns = new Set(resourceView.columns.map(({ name }) => name));

async function runList(call: Call): Promise<void> {
  const { given, terminal } = call;
  const station = await openStation(call, call.given.positionals[0]);
  const own = readSearchFilters(given);
  const filters = { ...readFilters(given), ...own };
  if (given.isSet('watch')) return watchRows(call, station, filters);
  const isSearch = own !== undefined || given.isSet('sort') || (await showsOwnFields(call, station));
  await showStates(
    call,
    (options) => station.manage.sources(options),
    async (unwatched) => {
      if (given.isSet('count')) {
        const total = isSearch
          ? await countFound(call, station, filters)
          : await countListed(call, station, filters);
        return terminal.print(`${sliceTotal(total, readSlice(given))}\n`);
      }
      if (!isSearch)
        return printSlice(listRows(call, station, filters), watchedView(resourceView, unwatched), call);
      await printSlice(searchRows(call, station, filters), watchedView(recordView, unwatched), call);
    },
  );
}

/** Whether fields are shown that only Roster has. `-o wide` shows them if the server is one. */
async function showsOwnFields({ given }: Call, station: StationClient): Promise<boolean> {
  const columns = given.list('columns');
  if (columns !== undefined) return columns.some((name) => !documentedColumns.has(name));
  if (given.text('output') !== 'wide' || given.isSet('count')) return false;
  try {
    await station.manage.get();
    return true;
  } catch (error) {
    if (isOtherServer(error)) return false;
    throw error;
  }
}

async function watchRows(call: Call, station: StationClient, filters: SearchFilters): Promise<void> {
  for (const flag of ['count', 'limit', 'offset', 'sort']) {
    if (call.given.isSet(flag)) throw new UsageError(`--${flag} cannot be combined with --watch`);
  }
  const { watchList, watchView } = await import('./watch-list.ts');
  const isTable = ['table', 'wide'].includes(call.given.text('output') ?? 'table');
  await followStates(
    call,
    (options) => station.manage.sources(options),
    () => printFollowed(watchList(call, station, filters), watchView(isTable), call),
  );
}

async function countFound(call: Call, station: StationClient, filters: SearchFilters): Promise<number> {
  const { page, hints } = await station.manage.search({ ...filters, size: 0 });
  await tellHints(call, hints);
  return page.total;
}

async function countListed(call: Call, station: StationClient, filters: Filters): Promise<number> {
  const total = await station.count(filters);
  if (total === 0) await tellHints(call, [(await station.list({ ...filters, size: 1 })).hint]);
  return total;
}

/** The documented list. */
function listRows(call: Call, station: StationClient, filters: Filters): SlicedRows<Resource> {
  const { given, terminal } = call;
  const pageSize = readPageSize(given);
  const slice = readSlice(given);
  if (slice !== undefined) {
    return readPages(slice, pageSize, async (page, revision) => {
      const answer = await station.list({ ...filters, ...page }, { revision });
      await tellHints(call, [answer.hint]);
      return answer;
    });
  }
  const listing = station.listAll(filters, {
    pageSize,
    onNotice: ({ message }) => void terminal.tell(`roster: ${message}`),
  });
  const progress = new Progress(terminal, { title: 'Listing', total: () => listing.total });
  return watched(listing, progress, () => 1);
}

function searchRows(call: Call, station: StationClient, filters: SearchFilters): SlicedRows<RecordView> {
  const { given } = call;
  const orderBy = readOrder(given);
  const pageSize = readPageSize(given);
  const slice = readSlice(given) ?? { offset: 0, limit: Number.POSITIVE_INFINITY };
  return readPages(slice, pageSize, async (page, revision) => {
    const answer = await station.manage.search({ ...filters, orderBy, ...page }, { revision });
    if (revision === undefined) await tellHints(call, answer.hints);
    return answer;
  });
}
