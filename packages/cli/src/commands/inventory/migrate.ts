import type { SchemaChange } from '@roster/store';
import type { Call, Command } from '../../command/command.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { chooseInventory, inventoryFlags } from './inventory-flags.ts';
import { hideArguments } from './inventory-url.ts';

export const migrate: Command = {
  name: 'migrate',
  usage: '[FLAGS]',
  about:
    'Updates the database schema of an inventory, as roster serve does at start. Run it to watch the update, ' +
    'or when only another database user may create tables. Safe to repeat, and to run beside nodes on ' +
    'PostgreSQL. Only a backup can undo it.',
  takes: [0, 0],
  flags: {
    ...inventoryFlags,
    ...valueFlags,
  },
  examples: [
    ['roster migrate', 'the inventory that roster serve would use here'],
    ['roster migrate --data /var/lib/roster/data', 'an inventory in SQLite'],
    ['roster migrate --database @/run/secrets/owner-url', 'as the owner of the tables'],
  ],
  run: runMigrate,
};

async function runMigrate(call: Call): Promise<void> {
  hideArguments('migrate');
  const location = await chooseInventory(call);
  const change = await location.migrate();
  await printValue({ data: location.name, ...change }, () => `${describe(location.name, change)}\n`, call);
}

function describe(name: string, { from, to }: SchemaChange): string {
  if (from === to) return `${name} is up to date (schema version ${to})`;
  return from === 0
    ? `${name} is ready for an inventory (schema version ${to})`
    : `${name} was migrated from schema version ${from} to ${to}`;
}
