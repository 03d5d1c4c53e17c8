import type { InventoryLocation } from '@roster/store';
import type { Call } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import type { Flags } from '../../command/flags.ts';
import { readServerSettings } from '../server/server-settings.ts';
import { locate } from './inventory-url.ts';

/** Locate the inventory for commands that need no server. */
export const inventoryFlags: Flags = {
  database: {
    type: 'string',
    value: 'URL|@FILE',
    about: 'PostgreSQL, as postgres://user@host:5432/database; @FILE reads the URL from a file',
  },
  data: { type: 'string', value: 'DIRECTORY', about: 'SQLite data directory' },
  config: {
    type: 'string',
    value: 'FILE',
    about: 'use the inventory of this configuration file (default: as roster serve finds it)',
  },
};

export async function chooseInventory(call: Call): Promise<InventoryLocation> {
  const { given } = call;
  const chosen = Object.keys(inventoryFlags).filter((flag) => given.isSet(flag));
  if (chosen.length > 1) throw new UsageError(`--${chosen[0]} cannot be combined with --${chosen[1]}`);
  if (given.isSet('database')) return locate(given, 'database');
  // Loaded on demand: help and completion need the flags alone.
  const { locateInventory } = await import('@roster/store');
  if (given.isSet('data')) return locateInventory(`sqlite:${given.text('data')}`);
  const config = given.text('config');
  const { settings } = await readServerSettings(call, config === undefined ? {} : { config });
  return locateInventory(settings.database.url ?? `sqlite:${settings.data}`);
}
