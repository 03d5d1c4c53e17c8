import { type InventoryLocation, locateInventory, type SchemaChange } from '@roster/store';
import type { Call, Command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { hideWords, locate } from '../inventory-url.ts';
import { printOne, valueFlags } from '../output/value.ts';
import { readServerSettings } from '../server-settings.ts';

export const migrate: Command = {
  name: 'migrate',
  usage: '[FLAGS]',
  about:
    'Brings the tables of an inventory up to date, and tells what it did. roster serve does the same when it starts; ' +
    'do it before, to see it done, or as a user who may create tables where the one of the server may not. It can be ' +
    'repeated, and beside nodes that run on PostgreSQL. There is no way back but a backup.',
  takes: [0, 0],
  flags: {
    database: {
      type: 'string',
      value: 'URL|@FILE',
      about: 'the PostgreSQL database, like postgres://user@host:5432/database; @FILE takes it from a file',
    },
    data: { type: 'string', value: 'DIRECTORY', about: 'the data directory' },
    config: {
      type: 'string',
      value: 'FILE',
      about: 'without the others, the inventory of this configuration file; else as roster serve finds it',
    },
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
  const location = await chooseLocation(call);
  const change = await location.migrate();
  await printOne({ data: location.name, ...change }, () => `${describe(location.name, change)}\n`, call);
}

async function chooseLocation(call: Call): Promise<InventoryLocation> {
  const { given } = call;
  const chosen = ['database', 'data', 'config'].filter((flag) => given.isSet(flag));
  if (chosen.length > 1) throw new UsageError(`give --${chosen[0]} or --${chosen[1]}, not both`);
  if (given.isSet('database')) return locate(given, 'database');
  if (given.isSet('data')) return locateInventory(`sqlite:${given.text('data')}`);
  const config = given.text('config');
  const { settings } = await readServerSettings(call, config === undefined ? {} : { config });
  return locateInventory(settings.database.url ?? `sqlite:${settings.data}`);
}

function describe(name: string, { from, to }: SchemaChange): string {
  if (from === to) return `${name} is up to date (schema version ${to})`;
  return from === 0
    ? `${name} is ready for an inventory (schema version ${to})`
    : `${name} was brought from schema version ${from} to ${to}`;
}
