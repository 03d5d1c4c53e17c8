import type { FoundResource, PageQuery, SavedView, ViewAnswer } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { connect, connectionFlags } from '../../connection/connection.ts';
import { foundView, recordView, watchedView } from '../../output/resource-view.ts';
import { rowFlags } from '../../output/rows.ts';
import { type ReadSources, showStates, sourcesIn } from '../../output/stale-states.ts';
import {
  printSlice,
  readPageSize,
  readPages,
  type SlicedRows,
  sliceFlags,
  tellHints,
} from '../resources/search-rows.ts';
import { readSlice, sliceTotal } from '../resources/slice.ts';
import { findView } from './view.ts';

/** The order is up to the view. */
const { sort: _, ...printed } = rowFlags(foundView.columns.map(({ name }) => name));

export const viewRun: Command = {
  name: 'view run',
  usage: 'NAME [FLAGS]',
  about:
    'Runs the search of a view and lists what it finds. Without --shared, your own view of this name takes ' +
    'precedence. Filters and order are those of the view.',
  takes: [1, 1],
  flags: {
    shared: { type: 'boolean', about: 'the shared view of this name' },
    ...sliceFlags,
    count: { type: 'boolean', about: 'print only the number of resources' },
    ...printed,
    ...connectionFlags,
  },
  examples: [
    ['roster view run firing', 'what it finds now'],
    ['roster view run on-call --shared --count', 'how many'],
    ['roster view run firing -o ndjson | jq -r .name', 'for a script'],
  ],
  run: runView,
};

async function runView(call: Call): Promise<void> {
  const client = await connect(call);
  const view = await findView(client, call);
  const { name, shared } = view;
  const read = (page: PageQuery, revision?: string) =>
    client.manage.views.run(name, page, { shared, revision });
  const readSources: ReadSources = async (options) =>
    sourcesIn(await client.manage.sources(options), placesOf(view));
  await showStates(call, readSources, async (unwatched) => {
    if (call.given.isSet('count')) {
      const { page, hints } = await read({ size: 0 });
      await tellHints(call, hints);
      return call.terminal.print(`${sliceTotal(page.total, readSlice(call.given))}\n`);
    }
    const rows = foundRows(call, read);
    if (view.station !== null) return printSlice(rows, watchedView(recordView, unwatched), call);
    await printSlice(rows as SlicedRows<FoundResource>, watchedView(foundView, unwatched), call);
  });
}

/** Where a view searches. */
function placesOf({ station, query }: SavedView) {
  if (station !== null) return { stations: [station] };
  const given = new URLSearchParams(query);
  const named = (parameter: string) => {
    const names = given.getAll(parameter).flatMap((value) => value.split(','));
    return names.length === 0 ? undefined : names;
  };
  return {
    subscriptions: named('subscription'),
    resourceGroups: named('resource_group'),
    zones: named('zone'),
    stations: named('station'),
  };
}

function foundRows(
  call: Call,
  read: (page: PageQuery, revision: string | undefined) => Promise<ViewAnswer>,
): SlicedRows<ViewAnswer['resources'][number]> {
  const slice = readSlice(call.given) ?? { offset: 0, limit: Number.POSITIVE_INFINITY };
  return readPages(slice, readPageSize(call.given), async (page, revision) => {
    const answer = await read(page, revision);
    await tellHints(call, answer.hints);
    return answer;
  });
}
