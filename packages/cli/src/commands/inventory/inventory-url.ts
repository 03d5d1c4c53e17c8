import type { InventoryLocation } from '@roster/store';
import type { Arguments } from '../../command/arguments.ts';
import { CommandError, fileReason, UsageError } from '../../command/errors.ts';

const { readFileSync } = process.getBuiltinModule('node:fs');

/** Finds the inventory at the URL in a flag; `@FILE` reads the URL from a file. Error messages hide passwords. */
export async function locate(given: Arguments, flag: string): Promise<InventoryLocation> {
  const text = given.text(flag);
  if (text === undefined) throw new UsageError(`--${flag} is missing: pass the URL of the inventory`);
  const { InvalidDatabaseUrl, locateInventory } = await import('@roster/store');
  try {
    return locateInventory(text.startsWith('@') ? readUrl(text.slice(1), flag) : text);
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error;
    throw new UsageError(`--${flag} ${error.message}`);
  }
}

/** Hides the arguments from process lists, because a URL may hold a password. */
export function hideArguments(command: string): void {
  process.title = `roster ${command}`;
}

function readUrl(file: string, flag: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`cannot read the URL for --${flag} from ${file}: ${fileReason(error)}`, {
      cause: error,
    });
  }
}
