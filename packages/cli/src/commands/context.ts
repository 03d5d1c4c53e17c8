import type { Call, Command } from '../command.ts';
import { type Context, configFile, findContext, readConfig, writeConfig } from '../config.ts';
import { UsageError } from '../errors.ts';
import { printRows, rowFlags, sortRows, type View } from '../output/rows.ts';
import { readToken } from '../read-token.ts';
import { readServerUrl, withoutCredentials } from '../server-url.ts';

/** What is shown of a context; its token never is. */
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
      header: 'IN USE',
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
  nothing: 'there are no contexts; roster context set NAME --server URL makes one',
};

export const contextSet: Command = {
  name: 'context set',
  usage: 'NAME [FLAGS]',
  about:
    'Names a connection: a server, and with it a token and a station to use when none is given. Keeps what is not ' +
    'given of one that is there. The first one is used from then on. Tokens are kept in a file that only you can ' +
    'read, and are never printed.',
  takes: [1, 1],
  flags: {
    server: { type: 'string', value: 'URL', about: 'where the server is' },
    token: {
      type: 'string',
      value: 'TOKEN|@FILE|-',
      about: 'bearer token, from a file or standard input if you like',
    },
    station: { type: 'string', value: 'STATION', about: 'the station of commands that are given none' },
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
  about:
    'Chooses the connection that commands use unless --context, --server or the environment say otherwise.',
  takes: [1, 1],
  flags: {},
  examples: [['roster context use lab', 'from now on']],
  async run({ given, environment, terminal }) {
    const [name = ''] = given.positionals;
    const config = readConfig(environment);
    findContext(config, name);
    writeConfig(environment, { ...config, current: name });
    await terminal.tell(`in use: ${terminal.safe(name)}`);
  },
};

export const contextList: Command = {
  name: 'context list',
  usage: '[FLAGS]',
  about: 'Lists the named connections.',
  takes: [0, 0],
  flags: rowFlags(view.columns.map(({ name }) => name)),
  examples: [['roster context list', 'all of them, the one in use marked']],
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
  about: 'Forgets a named connection and its token.',
  takes: [1, 1],
  flags: {},
  examples: [['roster context delete lab', 'nothing happens on the server']],
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
  const server = given.text('server') ?? known?.server;
  if (server === undefined)
    throw new UsageError(`where is the server of ${JSON.stringify(name)}? Give --server URL`);
  readServerUrl(server, '--server');
  // A token belongs to the server it was given for.
  const kept = known?.server === server ? known.token : undefined;
  const token = readToken(given) ?? kept;
  const station = given.text('station') ?? known?.station;
  const context: Context = { server, ...(token && { token }), ...(station && { station }) };
  writeConfig(environment, {
    ...config,
    current: config.current ?? name,
    contexts: { ...config.contexts, [name]: context },
  });
  await terminal.tell(`saved in ${configFile(environment)}`);
}
