import type { Filters } from '@roster/client';
import type { Arguments } from '../../command/arguments.ts';
import { CommandError, UsageError } from '../../command/errors.ts';
import type { Flags } from '../../command/flags.ts';

const { readFileSync } = process.getBuiltinModule('node:fs');

export const filterFlags: Flags = {
  type: { type: 'string', multiple: true, value: 'KEY', about: 'only resources of this type key' },
  product: { type: 'string', value: 'PRODUCT', about: 'only resources of this product' },
  prefix: { type: 'string', value: 'TEXT', about: 'only resources whose display name starts with this' },
  id: {
    type: 'string',
    multiple: true,
    value: 'ID',
    about: 'only this resource; @FILE reads ids from a file, one per line',
  },
  alertable: { type: 'boolean', about: 'only resources that can have alerts' },
};

/** The filters that the server applies. */
export function readFilters(given: Arguments): Filters {
  const types = given.list('type');
  const ids = given.isSet('id') ? given.all('id').flatMap(readIds) : undefined;
  if (types?.length === 0) throw new UsageError('--type needs a type key');
  if (ids?.length === 0) throw new UsageError('--id is empty, which would list everything');
  return {
    resourceTypes: types,
    product: given.text('product'),
    displayNamePrefix: given.text('prefix'),
    resourceIds: ids,
    enabledAlert: given.isSet('alertable') ? true : undefined,
  };
}

function readIds(value: string): string[] {
  const items = value.startsWith('@') ? readLines(value.slice(1)) : value.split(',');
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').split('\n');
  } catch (error) {
    throw new CommandError(`cannot read the ids: ${(error as Error).message}`, { cause: error });
  }
}
