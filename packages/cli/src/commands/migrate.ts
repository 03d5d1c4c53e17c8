import type { SchemaChange } from '@roster/store';
import type { Call, Command } from '../command.ts';
import { chooseInventory, inventoryFlags } from '../inventory-flags.ts';
import { hideWords } from '../inventory-url.ts';
import { printOne, valueFlags } from '../output/value.ts';

export const migrate: Command = {
  name: 'migrate',
  usage: '[FLAGS]',
  about:
    'Brings the tables of an inventory up to date, and tells what it did. roster serve does the same when it starts; ' +
    'do it before, to see it done, or as a user who may create tables where the one of the server may not. It can be ' +
    'repeated, and beside nodes that run on PostgreSQL. There is no way back but a backup.',
  takes: [0, 0],
  flags: {
    ...inventoryFlags,
    ...valueFlags,
  },
  examples: [
    ['roster migrate', 'the inventory that roster serve would use here'],
    ['roster migrate --data /var/lib/roster', 'an inventory in SQLite'],
    ['roster migrate --database @/run/secrets/owner-url', 'as the owner of the tables'],
  ],
  run: runMigrate,
};

async function runMigrate(call: Call): Promise<void> {
  hideWords('migrate');
  const location = await chooseInventory(call);
  const change = await location.migrate();
  await printOne({ data: location.name, ...change }, () => `${describe(location.name, change)}\n`, call);
}

function describe(name: string, { from, to }: SchemaChange): string {
  if (from === to) return `${name} is up to date (schema version ${to})`;
  return from === 0
    ? `${name} is ready for an inventory (schema version ${to})`
    : `${name} was brought from schema version ${from} to ${to}`;
}
