import { fullScope } from '@roster/contract';
import type { Call, Command } from '../../command/command.ts';
import { chooseInventory, inventoryFlags } from '../inventory/inventory-flags.ts';
import { hideArguments } from '../inventory/inventory-url.ts';

const lifeMs = 86_400_000;

export const tokenRecover: Command = {
  name: 'token recover',
  usage: '[FLAGS]',
  about:
    'Adds an admin token for all stations to an inventory and prints it, in case the last one is lost. It is ' +
    'valid for one day. Works on the data directly: stop a server on SQLite first; nodes on PostgreSQL accept ' +
    'the token within two seconds.',
  takes: [0, 0],
  flags: inventoryFlags,
  examples: [
    ['roster token recover --data /var/lib/roster/data', 'of a stopped server'],
    [
      'ROSTER_TOKEN=$(roster token recover --database @/run/secrets/url) roster token list',
      'while nodes are running',
    ],
  ],
  run: runRecover,
};

async function runRecover(call: Call): Promise<void> {
  hideArguments('token recover');
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
  // Opening read-only first keeps a mistyped directory from becoming a new inventory.
  await (await location.open({ readOnly: true })).close();
  const store = await location.open();
  try {
    await store.tokens.add(token);
  } finally {
    await store.close();
  }
  await call.terminal.print(`${text}\n`);
  await call.terminal.tell(
    `created: ${token.id} in ${location.name}, an admin token valid for one day; it is not shown again`,
  );
}
