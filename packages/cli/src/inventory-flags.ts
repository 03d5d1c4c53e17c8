import type { InventoryLocation } from '@roster/store';
import type { Call, Flags } from './command.ts';
import { UsageError } from './errors.ts';
import { locate } from './inventory-url.ts';
import { readServerSettings } from './server-settings.ts';

/** Where the inventory is that a command works on without a server. */
export const inventoryFlags: Flags = {
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
};

export async function chooseInventory(call: Call): Promise<InventoryLocation> {
  const { given } = call;
  const chosen = Object.keys(inventoryFlags).filter((flag) => given.isSet(flag));
  if (chosen.length > 1) throw new UsageError(`give --${chosen[0]} or --${chosen[1]}, not both`);
  if (given.isSet('database')) return locate(given, 'database');
  // Loaded when it is needed: help and completion look at flags alone.
  const { locateInventory } = await import('@roster/store');
  if (given.isSet('data')) return locateInventory(`sqlite:${given.text('data')}`);
  const config = given.text('config');
  const { settings } = await readServerSettings(call, config === undefined ? {} : { config });
  return locateInventory(settings.database.url ?? `sqlite:${settings.data}`);
}
