import { isDeepStrictEqual } from 'node:util';
import type { StationAddress } from '@roster/contract';
import type { Batch, Store } from '@roster/engine/port';
import { type Difference, type ExpectedStation, findDifferences } from './find-differences.ts';
import { allStations, viewsToCopy } from './inventory-size.ts';
import { StationContents } from './station-contents.ts';

export interface CopyOptions {
  readonly from: Store;
  readonly to: Store;
  /**
   * What to do with a station, type or view that the target already has: keep it, or make it match the source. A
   * station without resources is filled in either case.
   */
  readonly existing: 'keep' | 'replace';
  readonly withTokens: boolean;
  /** Called with each number of resources copied, then verified. */
  onCopied?(resources: number): void;
  onVerified?(resources: number): void;
}

/** How much was written; the rest already existed. */
export interface CopyResult {
  readonly stations: number;
  readonly resources: number;
  readonly types: number;
  readonly tokens: number;
  readonly views: number;
  /** Where target and source differ, compared after everything was written. */
  readonly differences: readonly Difference[];
}

/**
 * Copies types, stations with their resources and trends, tokens and views. A station is written as one batch, so it is
 * there completely or not at all, and stations already copied stay as they are: an interrupted copy can be repeated.
 * Copies begin a new history.
 */
export async function copyInventory(options: CopyOptions): Promise<CopyResult> {
  const types = await copyTypes(options);
  const expected: ExpectedStation[] = [];
  const written = { stations: 0, resources: 0 };
  for await (const { address } of allStations(options.from)) {
    const copied = await copyStation(address, options);
    if (!copied) continue;
    expected.push(copied.expected);
    if (copied.isWritten) {
      written.stations++;
      written.resources += copied.expected.contents.counts.resources;
    }
  }
  // Tokens come last: an incomplete target should not be used.
  const tokens = options.withTokens ? await copyTokens(options) : 0;
  const views = await copyViews(options);
  return { ...written, types, tokens, views, differences: await findDifferences(options, expected) };
}

async function copyTypes({ from, to, existing }: CopyOptions): Promise<number> {
  const { types: known } = await to.catalog();
  const { types } = await from.catalog();
  const wanted = [...types.values()].filter((type) => {
    const present = known.get(type.key);
    return present === undefined || (existing === 'replace' && !isDeepStrictEqual(present, type));
  });
  await to.putTypes(wanted);
  return wanted.length;
}

async function copyTokens({ from, to }: CopyOptions): Promise<number> {
  const known = new Set((await to.tokens.list()).flatMap(({ id, hash }) => [id, hash]));
  const wanted = (await from.tokens.list()).filter(({ id, hash }) => !known.has(id) && !known.has(hash));
  for (const token of wanted) await to.tokens.add(token);
  return wanted.length;
}

async function copyViews({ from, to, existing }: CopyOptions): Promise<number> {
  let written = 0;
  for (const view of await viewsToCopy(from, to)) {
    const present = await to.views.get(view.owner, view.name);
    const isKept = present !== undefined && (existing === 'keep' || isDeepStrictEqual(present, view));
    if (isKept) continue;
    await to.views.put(view);
    written++;
  }
  return written;
}

interface CopiedStation {
  readonly expected: ExpectedStation;
  readonly isWritten: boolean;
}

/** Undefined when the station is gone from the source. */
async function copyStation(
  address: StationAddress,
  options: CopyOptions,
): Promise<CopiedStation | undefined> {
  const { from, onCopied } = options;
  if (!(await from.head(address))) return undefined;
  const { created, batch } = await openTarget(address, options);
  try {
    const { head, chunks } = await from.feed(address);
    const contents = new StationContents();
    let line = 0;
    for await (const { put } of chunks) {
      const resources = [...put];
      await batch?.add(resources.map((record) => ({ line: ++line, record })));
      for (const resource of resources) contents.add(resource);
      onCopied?.(put.length);
    }
    const result = await batch?.commit();
    await copyTrends(address, options);
    const changed = result ? result.created + result.updated + result.removed : 0;
    return { expected: { address, head, contents }, isWritten: created || changed > 0 };
  } finally {
    await batch?.discard().catch(() => undefined);
  }
}

/** What the target already knows of a station stays. */
async function copyTrends(address: StationAddress, { from, to }: CopyOptions): Promise<void> {
  const hours = await from.trends.read(address, 0, Number.MAX_SAFE_INTEGER);
  if (hours.length > 0) await to.trends.add(address, hours);
}

/** Without a batch the station is kept. The batch fails if somebody else writes to the station first. */
async function openTarget(
  address: StationAddress,
  { to, existing }: CopyOptions,
): Promise<{ created: boolean; batch: Batch | undefined }> {
  const { created, head } = await to.createStation(address);
  const isEmpty = created || (await to.station(address))?.counts.resources === 0;
  if (!isEmpty && existing === 'keep') return { created, batch: undefined };
  const mode = isEmpty ? 'merge' : 'replace';
  const options = { mode, allowRemoval: 'all', ifRevision: head, changedBy: 'roster copy' } as const;
  return { created, batch: await to.openBatch(address, options) };
}
