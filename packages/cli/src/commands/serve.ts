import { runServer, type ServeFlag, serveFlags } from '@roster/server';
import type { Arguments } from '../arguments.ts';
import type { Command, Flag } from '../command.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[FLAGS]',
  about:
    'Runs a server until it is told to stop. It takes the same settings as the server itself: from a configuration ' +
    'file, from variables such as ROSTER_PORT, which win over the file, and from flags, which win over both. ' +
    'roster config check tells what that comes to.',
  takes: [0, 0],
  flags: Object.fromEntries(serveFlags.map((flag) => [flag.name, flagFor(flag)])),
  examples: [
    ['roster serve --sample', 'something to look at, on http://127.0.0.1:8080'],
    ['roster serve --config /etc/roster/roster.yaml', 'with all settings in a file'],
    ['roster serve --host 0.0.0.0 --port 80 --data /var/lib/roster', 'for others'],
  ],
  async run({ given, environment }) {
    // The server ends by itself when it is interrupted, after what is under way.
    process.removeAllListeners('SIGINT');
    await runServer(environment, givenFlags(given));
  },
};

/** What was given of the flags of the server, as it reads them. */
function givenFlags(given: Arguments): Record<string, string> {
  const set = serveFlags.filter(({ name }) => given.isSet(name));
  return Object.fromEntries(
    set.map(({ name, value }) => [name, value === undefined ? 'true' : given.text(name)!]),
  );
}

function flagFor({ value, choices, about }: ServeFlag): Flag {
  if (value === undefined) return { type: 'boolean', about };
  return { type: 'string', value, about, ...(choices === undefined ? {} : { choices }) };
}
