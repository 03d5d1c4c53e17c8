import { isNotFound, type RosterClient, type SavedView, type SearchFilters } from '@roster/client';
import type { Arguments } from '../../command/arguments.ts';
import type { Call, Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { isHowLongAgo } from '../../command/read-time.ts';
import { connect, connectionFlags, openStation } from '../../connection/connection.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { shortPath } from '../../output/resource-view.ts';
import { printRows, rowFlags, sortRows } from '../../output/rows.ts';
import type { View } from '../../output/view.ts';
import {
  filterFlags,
  placeFlags,
  readFilters,
  readPlaces,
  readSearchFilters,
  searchFlags,
} from '../resources/filters.ts';
import { orderFlags, readOrder } from '../resources/search-rows.ts';

const view: View<SavedView> = {
  columns: [
    { name: 'name', header: 'NAME', value: ({ name }) => name },
    {
      name: 'shared',
      header: 'SHARED',
      value: ({ shared }) => shared,
      show: ({ shared }) => (shared ? 'yes' : 'no'),
    },
    {
      name: 'station',
      header: 'STATION',
      value: ({ station }) => station ?? '',
      show: ({ station }) => (station === null ? 'all' : shortPath(station)),
    },
    { name: 'query', header: 'QUERY', value: ({ query }) => query },
    { name: 'changed_at', header: 'CHANGED', value: ({ changed_at }) => changed_at, isWide: true },
    { name: 'changed_by', header: 'BY', value: ({ changed_by }) => changed_by, isWide: true },
    { name: 'path', header: 'PATH', value: ({ path }) => path, isWide: true },
  ],
  nameOf: ({ name }) => name,
  nothing: 'no views; save one with roster view save',
};

export const viewSave: Command = {
  name: 'view save',
  usage: 'NAME [STATION] [FLAGS]',
  about:
    'Saves a search under a name: the filters and the order of roster list or, with --everywhere, --subscription, ' +
    '--resource-group, --zone or --station, of roster find. Replaces the view of this name, if there is one. A ' +
    'view is private, unless an admin saves it with --shared. Times such as 2h are counted back from when the view ' +
    'is run.',
  takes: [1, 2],
  flags: {
    shared: { type: 'boolean', about: 'for everyone; needs an admin token for all stations' },
    everywhere: { type: 'boolean', about: 'search all stations, as roster find does' },
    ...placeFlags,
    ...filterFlags,
    ...searchFlags,
    ...orderFlags,
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster view save firing --state firing --sort state_since', 'of the station in ROSTER_STATION'],
    ['roster view save gpu-gaps demo/sample/zone-1/station-1 --uncovered --label rack=r12', 'of another one'],
    ['roster view save on-call --everywhere --state firing,pending --shared', 'for everyone'],
    ['roster view save new --state firing --since-after 1h', 'what began to fire in the last hour'],
  ],
  run: runSave,
};

export const viewList: Command = {
  name: 'view list',
  usage: '[FLAGS]',
  about: 'Lists your views, then the shared ones, each by name.',
  takes: [0, 0],
  flags: {
    shared: { type: 'boolean', about: 'only shared views' },
    own: { type: 'boolean', about: 'only your own' },
    ...rowFlags(view.columns.map(({ name }) => name)),
    ...connectionFlags,
  },
  examples: [['roster view list -o wide', 'also who saved them, and where they are']],
  async run(call) {
    const { given } = call;
    if (given.isSet('shared') && given.isSet('own')) {
      throw new UsageError('--shared and --own exclude each other');
    }
    const shared = given.isSet('shared') ? true : given.isSet('own') ? false : undefined;
    const { views } = (await connect(call)).manage;
    await printRows(sortRows(views.all({ shared }), view, call), view, call);
  },
};

export const viewShow: Command = {
  name: 'view show',
  usage: 'NAME [FLAGS]',
  about:
    'Shows what a view searches for, and where. Without --shared, your own view of this name takes precedence.',
  takes: [1, 1],
  flags: {
    shared: { type: 'boolean', about: 'the shared view of this name' },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [['roster view show firing -o json | jq -r .path', 'where it is']],
  async run(call) {
    const found = await findView(await connect(call), call);
    await printValue(found, () => renderView(found, call), call);
  },
};

export const viewDelete: Command = {
  name: 'view delete',
  usage: 'NAME [FLAGS]',
  about: 'Deletes one of your views, or a shared one. Resources are not affected.',
  takes: [1, 1],
  flags: {
    shared: { type: 'boolean', about: 'the shared view of this name; needs an admin token for all stations' },
    ...connectionFlags,
  },
  examples: [['roster view delete firing', 'one of your own']],
  async run(call) {
    const [name = ''] = call.given.positionals;
    await (await connect(call)).manage.views.delete(name, { shared: call.given.isSet('shared') });
    await call.terminal.tell(`deleted: ${call.terminal.safe(name)}`);
  },
};

async function runSave(call: Call): Promise<void> {
  const { given, terminal } = call;
  const [name = '', path] = given.positionals;
  const wide = ['everywhere', ...Object.keys(placeFlags)].find((flag) => given.isSet(flag));
  if (wide !== undefined && path !== undefined) {
    throw new UsageError(`--${wide} searches all stations: leave ${JSON.stringify(path)} out`);
  }
  const filters = { ...readFilters(given), ...readSearchFilters(given), ...readPlaces(given) };
  const query = { ...filters, ...readRelativeTimes(given), orderBy: readOrder(given) };
  const station = wide === undefined ? (await openStation(call, path)).address : undefined;
  const { views } = (await connect(call)).manage;
  const shared = given.isSet('shared');
  const { created, view: saved } = await views.put(name, { station, query }, { shared });
  await printValue(saved, () => `${created ? 'created' : 'changed'}: ${terminal.safe(saved.path)}\n`, call);
}

const timeFlags = {
  'since-after': 'stateSinceAfter',
  'since-before': 'stateSinceBefore',
  'created-after': 'createdAfter',
  'created-before': 'createdBefore',
} as const;

/** How long ago something was is not fixed at the time of saving: it moves with the clock. */
function readRelativeTimes(given: Arguments): SearchFilters {
  const times = Object.entries(timeFlags).map(([flag, member]) => [member, given.text(flag) ?? '']);
  const relative = times.filter(([, text]) => isHowLongAgo(text!));
  return Object.fromEntries(relative.map(([member, text]) => [member, `now-${text}`]));
}

/** The view that a command names: the caller's own or, if there is none, the shared one. */
export async function findView({ manage: { views } }: RosterClient, { given }: Call): Promise<SavedView> {
  const [name = ''] = given.positionals;
  if (given.isSet('shared')) return views.get(name, { shared: true });
  try {
    return await views.get(name);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return await views.get(name, { shared: true }).catch((other: unknown) => {
      throw isNotFound(other) ? error : other;
    });
  }
}

function renderView(saved: SavedView, { terminal }: Call): string {
  const { paint } = terminal;
  const rows = view.columns.map(({ name, value, show }) => [name, show?.(saved) ?? String(value(saved))]);
  const width = Math.max(...rows.map(([name]) => name!.length));
  return rows
    .map(([name, text]) => `${paint('dim', name!.padEnd(width))}  ${terminal.safe(text!)}`.trimEnd())
    .concat('')
    .join('\n');
}
