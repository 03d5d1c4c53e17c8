import {
  type EverywhereQuery,
  type Filters,
  parseStationAddress,
  type SearchFilters,
  stationPath,
} from '@roster/client';
import type { Arguments } from '../../command/arguments.ts';
import { CommandError, fileReason, UsageError } from '../../command/errors.ts';
import type { Flags } from '../../command/flags.ts';
import { readTimeRange, timeForms } from '../../command/read-time.ts';

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

/** The filters that only Roster has. */
export const searchFlags: Flags = {
  state: { type: 'string', multiple: true, value: 'STATE', about: 'only this state, such as firing' },
  covered: { type: 'boolean', about: 'only alertable resources with alert rules' },
  uncovered: { type: 'boolean', about: 'only alertable resources without alert rules' },
  text: {
    type: 'string',
    value: 'TEXT',
    about: 'only resources with this in the display name, the name or the id, ignoring case',
  },
  label: {
    type: 'string',
    multiple: true,
    value: 'KEY=VALUE',
    about: 'only resources with this label; values of one key are alternatives',
  },
  'gpu-model': { type: 'string', multiple: true, value: 'MODEL', about: 'only this GPU model' },
  sku: { type: 'string', multiple: true, value: 'SKU', about: 'only this SKU' },
  'since-after': {
    type: 'string',
    value: 'TIME',
    about: `only resources that entered their state at this time or later; ${timeForms}`,
  },
  'since-before': {
    type: 'string',
    value: 'TIME',
    about: 'only resources that entered their state before this time',
  },
  'created-after': { type: 'string', value: 'TIME', about: 'only resources created at this time or later' },
  'created-before': { type: 'string', value: 'TIME', about: 'only resources created before this time' },
};

/** Where a search of all stations looks. */
export const placeFlags: Flags = {
  subscription: { type: 'string', multiple: true, value: 'NAME', about: 'only this subscription' },
  'resource-group': { type: 'string', multiple: true, value: 'NAME', about: 'only this resource group' },
  zone: { type: 'string', multiple: true, value: 'NAME', about: 'only this zone' },
  station: {
    type: 'string',
    multiple: true,
    value: 'STATION',
    about: 'only this station, by name or address',
  },
};

export function readPlaces(
  given: Arguments,
): Pick<EverywhereQuery, 'subscriptions' | 'resourceGroups' | 'zones' | 'stations'> {
  return {
    subscriptions: given.list('subscription'),
    resourceGroups: given.list('resource-group'),
    zones: given.list('zone'),
    stations: given.list('station')?.map(readStation),
  };
}

function readStation(station: string): string {
  return station.includes('/') ? stationPath(parseStationAddress(station)) : station;
}

/** The filters of a search; undefined if there are none besides those of the list. */
export function readSearchFilters(given: Arguments): SearchFilters | undefined {
  if (!Object.keys(searchFlags).some((flag) => given.isSet(flag))) return undefined;
  if (given.isSet('covered') && given.isSet('uncovered')) {
    throw new UsageError('--covered and --uncovered exclude each other');
  }
  const [stateSinceAfter, stateSinceBefore] = readTimeRange(given, ['since-after', 'since-before']);
  const [createdAfter, createdBefore] = readTimeRange(given, ['created-after', 'created-before']);
  return {
    states: readList(given, 'state'),
    covered: given.isSet('covered') ? true : given.isSet('uncovered') ? false : undefined,
    text: given.text('text'),
    labels: given.isSet('label') ? readLabels(given.all('label')) : undefined,
    gpuModels: readList(given, 'gpu-model'),
    skus: readList(given, 'sku'),
    stateSinceAfter,
    stateSinceBefore,
    createdAfter,
    createdBefore,
  };
}

function readList(given: Arguments, flag: string): string[] | undefined {
  const items = given.list(flag);
  if (items?.length === 0) throw new UsageError(`--${flag} needs a value`);
  return items;
}

function readLabels(pairs: readonly string[]): Record<string, string[]> {
  const labels: Record<string, string[]> = {};
  for (const pair of pairs) {
    const [, key, values] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (key === undefined || values === undefined) {
      throw new UsageError(`--label must be KEY=VALUE, got ${JSON.stringify(pair)}`);
    }
    labels[key] = [...(labels[key] ?? []), ...values.split(',')];
  }
  return labels;
}

/** The filters that every server of the interface has. */
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
    throw new CommandError(`cannot read the ids from ${file}: ${fileReason(error)}`, { cause: error });
  }
}
