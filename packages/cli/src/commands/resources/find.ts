import type { EverywhereQuery, FoundResource, RosterClient } from '@roster/client';
import type { Arguments } from '../../command/arguments.ts';
import type { Call, Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { connect, connectionFlags } from '../../connection/connection.ts';
import { foundView, watchedView } from '../../output/resource-view.ts';
import { rowFlags } from '../../output/rows.ts';
import { type ReadSources, showStates, sourcesIn } from '../../output/stale-states.ts';
import {
  filterFlags,
  placeFlags,
  readFilters,
  readPlaces,
  readSearchFilters,
  searchFlags,
} from './filters.ts';
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

export const find: Command = {
  name: 'find',
  usage: '[TEXT] [FLAGS]',
  about:
    'Finds resources in all stations that you can read. TEXT matches anywhere in the display name, the name or the ' +
    'id, ignoring case; it is the same as --text.',
  takes: [0, 1],
  flags: {
    ...placeFlags,
    ...filterFlags,
    ...searchFlags,
    ...sliceFlags,
    count: { type: 'boolean', about: 'print only the number of resources' },
    ...rowFlags(foundView.columns.map(({ name }) => name)),
    ...orderFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster find --state firing --sort state_since', 'what is firing anywhere, longest first'],
    ['roster find 7f3', 'where is the node called …7f3?'],
    ['roster find --uncovered --gpu-model H100-SXM-80GB --count', 'number of such nodes without alert rules'],
    [
      'roster find --label owner=search --zone zone-1 -o csv',
      'what a team has in one zone, for a spreadsheet',
    ],
  ],
  run: runFind,
};

async function runFind(call: Call): Promise<void> {
  const { given, terminal } = call;
  const query = readQuery(given);
  const client = await connect(call);
  const read: ReadSources = async (options) => sourcesIn(await client.manage.sources(options), query);
  await showStates(call, read, async (unwatched) => {
    if (!given.isSet('count'))
      return printSlice(findRows(call, client, query), watchedView(foundView, unwatched), call);
    const { page, hints } = await client.manage.search({ ...query, size: 0 });
    await tellHints(call, hints);
    await terminal.print(`${sliceTotal(page.total, readSlice(given))}\n`);
  });
}

function readQuery(given: Arguments): EverywhereQuery {
  const [text] = given.positionals;
  if (text !== undefined && given.isSet('text')) {
    throw new UsageError('TEXT and --text are the same; give one of them');
  }
  const filters = { ...readFilters(given), ...readSearchFilters(given) };
  return {
    ...filters,
    text: text ?? filters.text,
    ...readPlaces(given),
    orderBy: readOrder(given),
  };
}

function findRows(call: Call, client: RosterClient, query: EverywhereQuery): SlicedRows<FoundResource> {
  const { given } = call;
  const slice = readSlice(given) ?? { offset: 0, limit: Number.POSITIVE_INFINITY };
  return readPages(slice, readPageSize(given), async (page) => {
    const answer = await client.manage.search({ ...query, ...page });
    await tellHints(call, answer.hints);
    return answer;
  });
}
