import type { InventoryLocation } from '@roster/store';
import type { Arguments } from './arguments.ts';
import { CommandError, UsageError } from './errors.ts';

const { readFileSync } = process.getBuiltinModule('node:fs');

/** Finds the inventory that the URL in a flag names; `@FILE` takes the URL from a file. Repeats no password. */
export async function locate(given: Arguments, flag: string): Promise<InventoryLocation> {
  const text = given.text(flag);
  if (text === undefined) throw new UsageError(`--${flag} is missing: where is the inventory?`);
  const { InvalidDatabaseUrl, locateInventory } = await import('@roster/store');
  try {
    return locateInventory(text.startsWith('@') ? readUrl(text.slice(1), flag) : text);
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error;
    throw new UsageError(`--${flag} ${error.message}`);
  }
}

/** Lets lists of processes show the name of the command instead of its words, of which a URL may hold a password. */
export function hideWords(command: string): void {
  process.title = `roster ${command}`;
}

function readUrl(file: string, flag: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`cannot read the URL for --${flag}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
