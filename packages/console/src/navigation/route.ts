import type { StationAddress } from '@roster/client';

/** Which page a path shows. */
export type Route =
  | { readonly page: 'now' }
  | { readonly page: 'stations' }
  | { readonly page: 'resources' }
  | { readonly page: 'station'; readonly station: StationAddress }
  | { readonly page: 'resource'; readonly station: StationAddress; readonly resourceId: string }
  | { readonly page: 'changes'; readonly station: StationAddress }
  | { readonly page: 'import'; readonly station: StationAddress | undefined }
  | { readonly page: SimplePage }
  | { readonly page: 'missing' };

const simplePages = ['types', 'sources', 'tokens', 'about', 'signed-in'] as const;
type SimplePage = (typeof simplePages)[number];

export function parseRoute(path: string): Route {
  const segments = path.replace(/^\/|\/$/g, '').split('/');
  const [first, ...rest] = segments;
  if (path === '/') return { page: 'now' };
  if (path === '/stations' || path === '/resources') return { page: first as 'stations' | 'resources' };
  const simple = simplePages.find((page) => page === first);
  if (segments.length === 1 && simple !== undefined) return { page: simple };
  if (segments.length === 1 && first === 'import') return { page: 'import', station: undefined };
  const station = first === 'stations' ? parseNames(rest.slice(0, 4)) : undefined;
  if (station === undefined) return { page: 'missing' };
  if (rest.length === 4) return { page: 'station', station };
  if (rest.length === 5 && (rest[4] === 'import' || rest[4] === 'changes')) {
    return { page: rest[4], station };
  }
  const resourceId = rest.length === 6 && rest[4] === 'resources' ? decode(rest[5]!) : undefined;
  return resourceId === undefined ? { page: 'missing' } : { page: 'resource', station, resourceId };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment) || undefined;
  } catch {
    return undefined;
  }
}

function parseNames(segments: readonly string[]): StationAddress | undefined {
  if (segments.length !== 4 || segments.includes('')) return undefined;
  const names = segments.map(decode);
  if (names.includes(undefined)) return undefined;
  const [subscription, resourceGroup, zone, name] = names;
  return { subscription: subscription!, resourceGroup: resourceGroup!, zone: zone!, name: name! };
}

export function stationHref({ subscription, resourceGroup, zone, name }: StationAddress): string {
  return `/stations/${[subscription, resourceGroup, zone, name].map(encodeURIComponent).join('/')}`;
}

export function resourceHref(station: StationAddress, resourceId: string): string {
  return `${stationHref(station)}/resources/${encodeURIComponent(resourceId)}`;
}

export function importHref(station: StationAddress | undefined): string {
  return station === undefined ? '/import' : `${stationHref(station)}/import`;
}
