import { type StationAddress, stationPath } from '@roster/client';
import { formatFilters } from '../../../navigation/filter-search.ts';
import { formatOrder, orderParameter } from '../../../navigation/order-search.ts';
import type { View } from '../../../navigation/view-search.ts';
import { commandFlags } from './command-flags.ts';
import { shell } from './shell.ts';

export interface ListRequest {
  readonly origin: string;
  /** Undefined for all stations. */
  readonly address: StationAddress | undefined;
  readonly view: View;
  /** Whether to send the token in `ROSTER_TOKEN`. */
  readonly needsToken: boolean;
}

function shortPath({ subscription, resourceGroup, zone, name }: StationAddress): string {
  return [subscription, resourceGroup, zone, name].map(encodeURIComponent).join('/');
}

const orderOf = ({ order }: View) => order && formatOrder(order);

export function curlText({ origin, address, view, needsToken }: ListRequest): string {
  const search = formatFilters(view.filters);
  const orderBy = orderOf(view);
  if (orderBy !== undefined) search.set(orderParameter, orderBy);
  search.set('page.offset', '0');
  search.set('page.size', '100');
  const token = needsToken ? '-H "Authorization: Bearer $ROSTER_TOKEN" ' : '';
  const place = address === undefined ? '' : `${stationPath(address)}/`;
  return `curl ${token}${shell(`${origin}/roster/v1/${place}resources?${search}`)}`;
}

/** Undefined if the command has no flag for one of the filters. */
export function commandText({ origin, address, view }: ListRequest): string | undefined {
  const flags = commandFlags(view);
  if (flags === undefined) return undefined;
  const command = address === undefined ? ['roster find'] : ['roster list', shell(shortPath(address))];
  return [...command, `--server ${shell(origin)}`, ...flags].join(' ');
}

export function clientText({ origin, address, view, needsToken }: ListRequest): string {
  const token = needsToken ? ', token: process.env.ROSTER_TOKEN' : '';
  const query = { ...view.filters, orderBy: orderOf(view), size: 100 };
  return `import { createClient } from '@roster/client';

const client = createClient({ baseUrl: ${JSON.stringify(origin)}${token} });
${address === undefined ? '' : `const station = client.station(${JSON.stringify(shortPath(address))});\n`}
const { resources, page } = await ${address === undefined ? 'client' : 'station'}.manage.search(${JSON.stringify(query)});
for (const resource of resources) console.log(resource.display_name, resource.state);
console.log(resources.length, 'of', page.total);
`;
}
