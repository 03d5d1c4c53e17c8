import type { Command } from '../command.ts';

const settings: Readonly<Record<string, string>> = {
  host: 'ROSTER_HOST',
  port: 'ROSTER_PORT',
  data: 'ROSTER_DATA',
  sample: 'ROSTER_SAMPLE',
};
/** Variables of this command, which are no settings of the server. */
const ownVariables = ['ROSTER_SERVER', 'ROSTER_TOKEN', 'ROSTER_STATION', 'ROSTER_CONTEXT'];

export const serve: Command = {
  name: 'serve',
  usage: '[FLAGS]',
  about:
    'Runs a server until it is told to stop. It takes the same settings as the server itself, from variables such ' +
    'as ROSTER_PORT and ROSTER_DATA; a flag wins over its variable.',
  takes: [0, 0],
  flags: {
    host: { type: 'string', value: 'HOST', about: 'the address to listen on; 127.0.0.1 unless given' },
    port: {
      type: 'string',
      value: 'PORT',
      about: 'the port to listen on, 0 for a free one; 8080 unless given',
    },
    data: { type: 'string', value: 'DIRECTORY', about: 'where the data lives; ./data unless given' },
    sample: { type: 'boolean', about: 'load a sample station if there is no station yet' },
  },
  examples: [
    ['roster serve --sample', 'something to look at, on http://127.0.0.1:8080'],
    ['roster serve --host 0.0.0.0 --port 80 --data /var/lib/roster', 'for others'],
  ],
  async run({ given, environment }) {
    const all = { ...environment };
    for (const name of ownVariables) delete all[name];
    for (const [flag, setting] of Object.entries(settings)) {
      if (given.isSet(flag)) all[setting] = flag === 'sample' ? 'true' : given.text(flag);
    }
    // The server ends by itself when it is interrupted, after what is under way.
    process.removeAllListeners('SIGINT');
    const { runServer } = await import('@roster/server');
    await runServer(all);
  },
};
