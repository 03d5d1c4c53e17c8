import { isDeepStrictEqual } from 'node:util';
import { RosterError, type StationAddress, stationKey, stationPath } from '@roster/contract';
import type { Head, Store, StoredToken } from '@roster/engine/port';
import { allStations, viewsToCopy } from './inventory-size.ts';
import { StationContents } from './station-contents.ts';

/** What a station of the source held when it was read. */
export interface ExpectedStation {
  readonly address: StationAddress;
  readonly head: Head;
  readonly contents: StationContents;
}

export interface Difference {
  readonly kind: 'station' | 'type' | 'token' | 'view';
  /** The path of a station, the key of a type, the id of a token, the owner and the name of a view. */
  readonly name: string;
  /** The target has something else, or the source has changed since it was read. */
  readonly reason: 'different' | 'changed';
}

export interface Comparison {
  readonly from: Store;
  readonly to: Store;
  readonly withTokens: boolean;
  /** Called with each number of resources read from the target. */
  onVerified?(resources: number): void;
}

/** Reads everything in the target that the source has too, and checks that the source has not changed. */
export async function findDifferences(
  comparison: Comparison,
  expected: readonly ExpectedStation[],
): Promise<Difference[]> {
  const differences = [
    ...(await differentTypes(comparison)),
    ...(comparison.withTokens ? await differentTokens(comparison) : []),
    ...(await differentViews(comparison)),
  ];
  for (const station of expected) {
    if (await isSame(station, comparison)) continue;
    differences.push({ kind: 'station', name: stationPath(station.address), reason: 'different' });
  }
  return [...differences, ...(await changedStations(comparison.from, expected))];
}

async function differentTypes({ from, to }: Comparison): Promise<Difference[]> {
  const { types: present } = await to.catalog();
  return [...(await from.catalog()).types.values()]
    .filter((type) => !isDeepStrictEqual(type, present.get(type.key)))
    .map(({ key }) => ({ kind: 'type', name: key, reason: 'different' }));
}

/** The last use of a token changes all the time. */
async function differentTokens({ from, to }: Comparison): Promise<Difference[]> {
  const unused = (token: StoredToken) => ({ ...token, lastUsedAtMs: undefined });
  const present = new Map((await to.tokens.list()).map((token) => [token.id, unused(token)]));
  return (await from.tokens.list())
    .filter((token) => !isDeepStrictEqual(unused(token), present.get(token.id)))
    .map(({ id }) => ({ kind: 'token', name: id, reason: 'different' }));
}

async function differentViews({ from, to }: Comparison): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const view of await viewsToCopy(from, to)) {
    if (isDeepStrictEqual(view, await to.views.get(view.owner, view.name))) continue;
    differences.push({ kind: 'view', name: `${view.owner}/${view.name}`, reason: 'different' });
  }
  return differences;
}

async function isSame(
  { address, contents }: ExpectedStation,
  { to, onVerified }: Comparison,
): Promise<boolean> {
  try {
    const found = new StationContents();
    for await (const { put } of (await to.feed(address)).chunks) {
      for (const resource of put) found.add(resource);
      onVerified?.(put.length);
    }
    const station = await to.station(address);
    return found.equals(contents) && station !== undefined && found.hasCounts(station.counts);
  } catch (error) {
    if (error instanceof RosterError && error.code === 'station_not_found') return false;
    throw error;
  }
}

/** Stations written, created or deleted since. */
async function changedStations(from: Store, expected: readonly ExpectedStation[]): Promise<Difference[]> {
  const before = new Map(expected.map(({ address, head }) => [stationKey(address), { address, head }]));
  const changed: StationAddress[] = [];
  for await (const { address, head } of allStations(from)) {
    if (!isDeepStrictEqual(before.get(stationKey(address))?.head, head)) changed.push(address);
    before.delete(stationKey(address));
  }
  const gone = [...before.values()].map(({ address }) => address);
  return [...changed, ...gone].map((address) => ({
    kind: 'station',
    name: stationPath(address),
    reason: 'changed',
  }));
}
