import { fullScope } from '@roster/contract';
import type { Call, Command } from '../command.ts';
import { chooseInventory, inventoryFlags } from '../inventory-flags.ts';
import { hideWords } from '../inventory-url.ts';

const lifeMs = 86_400_000;

export const tokenRecover: Command = {
  name: 'token recover',
  usage: '[FLAGS]',
  about:
    'Puts an admin token for all stations into an inventory and prints it, for when the last one is lost. It lives for ' +
    'a day, in which to create another. No server is asked: whoever can read the data needs no token. A server on ' +
    'SQLite has to be stopped for it; nodes on PostgreSQL accept the token within two seconds.',
  takes: [0, 0],
  flags: inventoryFlags,
  examples: [
    ['roster token recover --data /var/lib/roster', 'of a server that is stopped'],
    ['ROSTER_TOKEN=$(roster token recover --database @/run/secrets/url) roster token list', 'beside nodes'],
  ],
  run: runRecover,
};

async function runRecover(call: Call): Promise<void> {
  hideWords('token recover');
  const location = await chooseInventory(call);
  const { makeToken, makeTokenText } = await import('@roster/server');
  const text = makeTokenText();
  const createdAtMs = Date.now();
  const token = makeToken(text, {
    name: 'recovered',
    role: 'admin',
    scopes: [fullScope],
    createdBy: 'roster token recover',
    createdAtMs,
    expiresAtMs: createdAtMs + lifeMs,
  });
  // A mistyped directory must not become an inventory of its own.
  await (await location.open({ readOnly: true })).close();
  const store = await location.open();
  try {
    await store.tokens.add(token);
  } finally {
    await store.close();
  }
  await call.terminal.print(`${text}\n`);
  await call.terminal.tell(
    `created: ${token.id} in ${location.name}, an admin for a day; the token is shown this once`,
  );
}
