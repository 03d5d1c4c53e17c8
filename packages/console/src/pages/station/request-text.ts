import { type Filters, type StationAddress, stationPath } from '@roster/client';
import { formatFilters } from '../../navigation/filter-search.ts';

export interface ListRequest {
  readonly origin: string;
  readonly address: StationAddress;
  readonly filters: Filters;
  /** Whether to send the token in `ROSTER_TOKEN`. */
  readonly needsToken: boolean;
}

/** Quoted for a POSIX shell. */
function shell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function shortPath({ subscription, resourceGroup, zone, name }: StationAddress): string {
  return [subscription, resourceGroup, zone, name].map(encodeURIComponent).join('/');
}

export function curlText({ origin, address, filters, needsToken }: ListRequest): string {
  const search = formatFilters(filters);
  search.set('page.offset', '0');
  search.set('page.size', '100');
  const token = needsToken ? '-H "Authorization: Bearer $ROSTER_TOKEN" ' : '';
  return `curl ${token}${shell(`${origin}/monitor/ts/data/v1/${stationPath(address)}/resources?${search}`)}`;
}

/** The command has one flag for types, so `resource_type` and `resource_types` are intersected. */
export function commandText({ origin, address, filters }: ListRequest): string {
  const { resourceType, resourceTypes, resourceIds, product, displayNamePrefix, enabledAlert } = filters;
  const listed = resourceTypes ?? (resourceType === undefined ? [] : [resourceType]);
  const types = resourceType === undefined ? listed : listed.filter((type) => type === resourceType);
  const flags: [string, string | undefined][] = [
    ...types.map((type): [string, string] => ['--type', type]),
    ['--product', product],
    ['--prefix', displayNamePrefix],
    ...(resourceIds ?? []).map((id): [string, string] => ['--id', id]),
  ];
  const given = flags.flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${shell(value)}`]));
  if (enabledAlert) given.push('--alertable');
  return ['roster list', shell(shortPath(address)), `--server ${shell(origin)}`, ...given].join(' ');
}

export function clientText({ origin, address, filters, needsToken }: ListRequest): string {
  const token = needsToken ? ', token: process.env.ROSTER_TOKEN' : '';
  return `import { createClient } from '@roster/client';

const client = createClient({ baseUrl: ${JSON.stringify(origin)}${token} });
const station = client.station(${JSON.stringify(shortPath(address))});

for await (const resource of station.listAll(${JSON.stringify(filters)})) {
  console.log(resource.display_name, resource.state);
}
`;
}
