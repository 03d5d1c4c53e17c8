import {
  labelKeyError,
  limits,
  parseStation,
  quote,
  type RemovalAllowance,
  type StationAddress,
  stationKey,
  stationPath,
  typeKeyError,
} from '@roster/contract';
import { type ConfigValue, suggest } from './config-value.ts';
import { readDuration } from './read-endpoint.ts';
import { readLabel } from './read-tie.ts';
import type { Discovery } from './source.ts';

const defaultGraceMs = 3_600_000;
const graceRange = [1_000, 30 * 86_400_000] as const;
/** More than one Prometheus scrapes as a rule. */
const defaultMaxResources = 20_000;
const mostResources = 500_000;
const allowances: readonly RemovalAllowance[] = ['half', 'all'];

/** `stations` are those of the source. */
export function readDiscovery(
  given: ConfigValue,
  stations: readonly StationAddress[],
): Discovery | undefined {
  const members = given.members([
    'station',
    'jobs',
    'name',
    'strip_port',
    'display_name',
    'labels',
    'grace',
    'allow_removal',
    'max_resources',
  ]);
  if (members === undefined) return undefined;
  if (members.jobs === undefined) return given.refuse('needs jobs: a resource type for each job');
  const station =
    members.station === undefined ? onlyStation(given, stations) : readStation(members.station, stations);
  const jobs = readTable(members.jobs, (_, type) => readType(type));
  const read = {
    name: members.name === undefined ? 'instance' : readLabel(members.name),
    stripPort: members.strip_port?.boolean() ?? false,
    displayName: members.display_name && readLabel(members.display_name),
    labels: members.labels === undefined ? new Map<string, string>() : readLabels(members.labels),
    graceMs: readDuration(members.grace, defaultGraceMs, graceRange),
    allowRemoval: members.allow_removal === undefined ? 'half' : readAllowance(members.allow_removal),
    maxResources: readMaxResources(members.max_resources),
  };
  if (station === undefined || read.name === undefined || read.allowRemoval === undefined) return undefined;
  return { ...read, name: read.name, allowRemoval: read.allowRemoval, station, jobs };
}

function onlyStation(given: ConfigValue, stations: readonly StationAddress[]): StationAddress | undefined {
  if (stations.length < 2) return stations[0];
  return given.refuse('needs station: in which of its stations resources are made');
}

function readStation(given: ConfigValue, stations: readonly StationAddress[]): StationAddress | undefined {
  const named = typeof given.value === 'string' ? parseStation(given.value) : undefined;
  const station = named && stations.find((each) => stationKey(each) === stationKey(named));
  if (station !== undefined || stations.length === 0) return station;
  const known = stations.map(stationPath);
  return given.refuse(
    `must be one of the stations of the source, got ${quote(given.value)}${suggest(String(given.value), known)}`,
  );
}

/** Drops members that `read` refuses. */
function readTable(
  given: ConfigValue,
  read: (key: string, value: ConfigValue) => string | undefined,
): ReadonlyMap<string, string> {
  const entries = (given.entries() ?? []).map(([key, value]) => [key, read(key, value)] as const);
  return new Map(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function readType(given: ConfigValue): string | undefined {
  const { value } = given;
  if (typeof value !== 'string')
    return given.refuse(`must be a resource type such as resource_type.compute.vm, got ${quote(value)}`);
  const error = typeKeyError(value);
  return error === undefined ? value : given.refuse(`${error}, got ${quote(value)}`);
}

function readLabels(given: ConfigValue): ReadonlyMap<string, string> {
  const labels = readTable(given, (key, value) => {
    const error = labelKeyError(key);
    return error === undefined ? readLabel(value) : value.refuse(`has a label key that ${error}`);
  });
  if (labels.size > limits.maxLabels) given.refuse(`may have at most ${limits.maxLabels} labels`);
  return labels;
}

function readMaxResources(given: ConfigValue | undefined): number {
  const value = given?.value ?? defaultMaxResources;
  if (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= mostResources)
    return Number(value);
  given!.refuse(`must be a whole number from 1 to ${mostResources}, got ${quote(value)}`);
  return defaultMaxResources;
}

function readAllowance(given: ConfigValue): RemovalAllowance | undefined {
  const { value } = given;
  const known = allowances.find((each) => each === value);
  if (known !== undefined) return known;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  return given.refuse(`must be half, all or a number of resources, got ${quote(value)}`);
}
