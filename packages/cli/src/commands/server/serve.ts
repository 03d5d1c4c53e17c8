import { runServer, type ServeFlag, serveFlags } from '@roster/server';
import type { Arguments } from '../../command/arguments.ts';
import type { Command } from '../../command/command.ts';
import type { Flag } from '../../command/flags.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[FLAGS]',
  about:
    'Runs a server until interrupted. Settings come from a configuration file, variables such as ROSTER_PORT, ' +
    'and flags; later ones win. roster config check shows the result.',
  takes: [0, 0],
  flags: Object.fromEntries(serveFlags.map((flag) => [flag.name, flagFor(flag)])),
  examples: [
    ['roster serve --sample', 'a demo on http://127.0.0.1:8080'],
    ['roster serve --config /etc/roster/roster.yaml', 'settings from a file'],
    ['roster serve --host 0.0.0.0 --data /var/lib/roster/data', 'behind a proxy on another machine'],
  ],
  async run({ given, environment }) {
    // The server handles SIGINT itself and first finishes what is under way.
    process.removeAllListeners('SIGINT');
    await runServer(environment, givenFlags(given));
  },
};

/** The flags that are set, in the form the server reads. */
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
