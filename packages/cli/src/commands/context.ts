import type { Arguments } from '../command/arguments.ts';
import type { Call, Command } from '../command/command.ts';
import { UsageError } from '../command/errors.ts';
import {
  type Context,
  configFile,
  findContext,
  readConfig,
  writeConfig,
} from '../connection/context-file.ts';
import { readToken } from '../connection/read-token.ts';
import { readServerUrl, withoutCredentials } from '../connection/server-url.ts';
import { printRows, rowFlags, sortRows } from '../output/rows.ts';
import type { View } from '../output/view.ts';

/** A context as it is shown: without its token. */
interface ContextRow {
  readonly name: string;
  readonly current: boolean;
  readonly server: string;
  readonly station: string;
  readonly has_token: boolean;
}

const view: View<ContextRow> = {
  columns: [
    {
      name: 'current',
      header: 'CURRENT',
      value: (row) => row.current,
      show: (row) => (row.current ? '*' : ''),
    },
    { name: 'name', header: 'NAME', value: (row) => row.name },
    { name: 'server', header: 'SERVER', value: (row) => row.server },
    { name: 'station', header: 'STATION', value: (row) => row.station },
    {
      name: 'has_token',
      header: 'TOKEN',
      value: (row) => row.has_token,
      show: (row) => (row.has_token ? 'yes' : 'no'),
    },
  ],
  nameOf: (row) => row.name,
  nothing: 'no contexts; create one with roster context set NAME --server URL',
};

export const contextSet: Command = {
  name: 'context set',
  usage: 'NAME [FLAGS]',
  about:
    'Saves a named connection: a server, and optionally a token and a default station. Flags that are not ' +
    'given keep their saved value. The first context becomes current. Tokens are stored in a file that only ' +
    'you can read, and never shown.',
  takes: [1, 1],
  flags: {
    server: { type: 'string', value: 'URL', about: 'server URL' },
    token: {
      type: 'string',
      value: 'TOKEN|@FILE|-',
      about: 'bearer token; @FILE or - (standard input) reads it',
    },
    station: { type: 'string', value: 'STATION', about: 'default station' },
  },
  examples: [
    [
      'roster context set lab --server https://roster.example.com --token - < token.txt',
      'a server with a token',
    ],
    ['roster context set lab --station demo/sample/zone-1/station-1', 'and a station'],
  ],
  run: runSet,
};

export const contextUse: Command = {
  name: 'context use',
  usage: 'NAME',
  about: 'Selects the connection to use unless --context, --server or the environment override it.',
  takes: [1, 1],
  flags: {},
  examples: [['roster context use lab', 'make it current']],
  async run({ given, environment, terminal }) {
    const [name = ''] = given.positionals;
    const config = readConfig(environment);
    findContext(config, name);
    writeConfig(environment, { ...config, current: name });
    await terminal.tell(`current: ${terminal.safe(name)}`);
  },
};

export const contextList: Command = {
  name: 'context list',
  usage: '[FLAGS]',
  about: 'Lists the saved connections.',
  takes: [0, 0],
  flags: rowFlags(view.columns.map(({ name }) => name)),
  examples: [['roster context list', 'all contexts, the current one marked']],
  async run(call) {
    const { current, contexts } = readConfig(call.environment);
    const rows = Object.entries(contexts).map(([name, { server, station = '', token }]) => {
      return {
        name,
        current: name === current,
        server: withoutCredentials(server),
        station,
        has_token: token !== undefined,
      };
    });
    await printRows(sortRows(rows, view, call), view, call);
  },
};

export const contextDelete: Command = {
  name: 'context delete',
  usage: 'NAME',
  about: 'Deletes a saved connection and its token.',
  takes: [1, 1],
  flags: {},
  examples: [['roster context delete lab', 'does not affect the server']],
  async run({ given, environment, terminal }) {
    const [name = ''] = given.positionals;
    const config = readConfig(environment);
    findContext(config, name);
    const { [name]: _, ...contexts } = config.contexts;
    const { current, ...rest } = config;
    writeConfig(environment, { ...rest, ...(current && current !== name ? { current } : {}), contexts });
    await terminal.tell(`deleted: ${terminal.safe(name)}`);
  },
};

async function runSet({ given, environment, terminal }: Call): Promise<void> {
  const [name = ''] = given.positionals;
  const config = readConfig(environment);
  const known = Object.hasOwn(config.contexts, name) ? config.contexts[name] : undefined;
  refuseBareWord(given.text('server'));
  const server = given.text('server') ?? known?.server;
  if (server === undefined)
    throw new UsageError(`--server is missing: context ${JSON.stringify(name)} needs a server URL`);
  readServerUrl(server, '--server');
  // A token must not go to another server than the one it was saved for.
  const kept = known?.server === server ? known.token : undefined;
  const token = readToken(given) ?? kept;
  const station = (await readStation(given)) ?? known?.station;
  const context: Context = { server, ...(token && { token }), ...(station && { station }) };
  writeConfig(environment, {
    ...config,
    current: config.current ?? name,
    contexts: { ...config.contexts, [name]: context },
  });
  await terminal.tell(`saved in ${configFile(environment)}`);
}

/** A word alone may be the name of a host, but is more likely that of a context. */
function refuseBareWord(server: string | undefined): void {
  if (server === undefined || server === 'localhost' || !/^[a-z0-9_-]+$/i.test(server)) return;
  throw new UsageError(
    `--server must be a URL such as https://roster.example.com, got ${JSON.stringify(server)}; ` +
      `if this is the name of a host, pass http://${server}`,
  );
}

async function readStation(given: Arguments): Promise<string | undefined> {
  const station = given.text('station');
  if (station === undefined) return undefined;
  const { parseStationAddress } = await import('@roster/client');
  parseStationAddress(station);
  return station;
}
