import { parseStation, quote, type StationAddress, stationKey } from '@roster/contract';
import { type ConfigError, ConfigValue } from './config-value.ts';
import { readDiscovery } from './read-discovery.ts';
import { readDuration, readEndpoints, readUrl, serverKeys } from './read-endpoint.ts';
import { readTie } from './read-tie.ts';
import type { Binding, Source, TieRule } from './source.ts';

const nameShape = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const intervalRange = [1_000, 3_600_000] as const;
const defaultIntervalMs = 15_000;

export interface ReadSources {
  readonly sources: readonly Source[];
  /** No source may be used if there are any. */
  readonly errors: readonly ConfigError[];
}

/** A source whose stations and ties may still come from others. */
interface Draft extends Omit<Source, 'bindings'> {
  readonly given: ConfigValue;
  readonly stations: readonly StationAddress[];
  readonly tie: readonly TieRule[];
}

/** Reads the list `sources` of the configuration. */
export function readSources(value: unknown): ReadSources {
  const errors: ConfigError[] = [];
  const root = new ConfigValue(value, [], errors);
  if (!Array.isArray(value)) {
    root.refuse(`must be a list of sources, got ${quote(value)}`);
    return { sources: [], errors };
  }
  const items = value.length === 0 ? [] : (root.items() ?? []);
  const drafts = items.flatMap((item) => readSource(item) ?? []);
  refuseSameNames(drafts);
  return { sources: drafts.map((draft) => bind(draft, drafts)), errors };
}

function readSource(given: ConfigValue): Draft | undefined {
  const members = given.members(['name', 'prometheus', 'alertmanager', 'stations', 'tie', 'discovery']);
  if (members === undefined) return undefined;
  const { name, prometheus, alertmanager, stations: listed, tie, discovery } = members;
  if (name === undefined) return given.refuse('needs a name');
  const text = name.text(nameShape, 'at most 63 letters, digits, ".", "_" or "-"');
  if ((prometheus === undefined) === (alertmanager === undefined))
    return given.refuse('needs either prometheus or alertmanager');
  const kind = prometheus === undefined ? 'alertmanager' : 'prometheus';
  const server = readServer((prometheus ?? alertmanager)!, kind);
  const stations = listed === undefined ? [] : readStations(listed);
  if (discovery !== undefined && kind !== 'prometheus')
    discovery.refuse('is for prometheus: Alertmanager has no targets');
  const discovered = discovery && kind === 'prometheus' ? readDiscovery(discovery, stations) : undefined;
  if (text === undefined || server === undefined) return undefined;
  return {
    given,
    name: text,
    kind,
    ...server,
    stations,
    tie: tie === undefined ? [] : readTie(tie),
    discovery: discovered,
  };
}

function readServer(
  given: ConfigValue,
  kind: Source['kind'],
): Pick<Source, 'endpoints' | 'intervalMs'> | undefined {
  const members = given.members(serverKeys);
  if (members === undefined) return undefined;
  const { url } = members;
  if (url === undefined) return given.refuse('needs a url');
  const isCluster = kind === 'alertmanager' && Array.isArray(url.value);
  const urls = (isCluster ? (url.items() ?? []) : [url]).map(readUrl).filter((each) => each !== undefined);
  return {
    endpoints: readEndpoints(members, urls),
    intervalMs: readDuration(members.interval, defaultIntervalMs, intervalRange),
  };
}

function readStations(given: ConfigValue): StationAddress[] {
  const seen = new Set<string>();
  return (given.items() ?? []).flatMap((item) => {
    const station = typeof item.value === 'string' ? parseStation(item.value) : undefined;
    if (station === undefined)
      return item.refuse(`must be a station such as acme/web/zone-1/shop, got ${quote(item.value)}`) ?? [];
    if (seen.has(stationKey(station))) return item.refuse('is named twice') ?? [];
    seen.add(stationKey(station));
    return [station];
  });
}

function refuseSameNames(drafts: readonly Draft[]): void {
  const seen = new Set<string>();
  for (const { given, name } of drafts) {
    if (seen.has(name)) given.refuse(`has the name ${quote(name)}, which another source has`);
    seen.add(name);
  }
}

/** An Alertmanager takes the stations and ties that it does not name from the Prometheus sources. */
function bind(draft: Draft, drafts: readonly Draft[]): Source {
  const { given, stations, tie, ...source } = draft;
  const others = draft.kind === 'prometheus' ? [] : drafts.filter(({ kind }) => kind === 'prometheus');
  const inherited = others.flatMap((other) =>
    other.stations.map((station): Binding => ({ station, tie: other.tie })),
  );
  const isBound = stations.length > 0;
  const has = (member: string) => Object.hasOwn(given.value as object, member);
  if (!isBound && inherited.length === 0 && !has('stations'))
    given.refuse('needs stations: the stations it covers');
  const wanted = isBound ? new Set(stations.map(stationKey)) : undefined;
  const own = isBound ? stations.map((station): Binding => ({ station, tie })) : [];
  const taken = inherited.filter(({ station }) => wanted?.has(stationKey(station)) ?? true);
  const bindings = tie.length === 0 ? taken : isBound ? own : taken.map(({ station }) => ({ station, tie }));
  const bound = new Set(bindings.map(({ station }) => stationKey(station)));
  if (!has('tie') && stations.some((station) => !bound.has(stationKey(station))))
    given.refuse('needs tie: which labels tie an alert to a resource');
  return { ...source, bindings: merged(bindings) };
}

/** One binding for each station: rules of several follow each other. */
function merged(bindings: readonly Binding[]): Binding[] {
  const byStation = Map.groupBy(bindings, ({ station }) => stationKey(station));
  return [...byStation.values()].map((same) => ({
    station: same[0]!.station,
    tie: same.flatMap(({ tie }) => tie),
  }));
}
