import { RosterError, stationNotFound } from '@roster/contract';
import type { StationCounts, WriteResult } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import {
  changesOf,
  type DirectWrite,
  type PlannedWrite,
  planWrite,
  type StationState,
} from '../../shared/direct/direct-write.ts';
import type { Outcome } from '../../shared/direct/shared-commits.ts';
import type { StationChanges } from '../../shared/station-changes.ts';
import { runTransaction } from '../connection/run-transaction.ts';
import { isRefusal } from '../connection/translate-error.ts';
import { type DirectRows, readRows, type StationWrites, writeRevisions } from './direct-rows.ts';

/** Undefined where a write must be staged: it has types that are not in the catalog. */
export interface WrittenDirectly {
  readonly result: WriteResult;
  readonly changes: StationChanges;
  /** Those of the station after the write. */
  readonly counts: StationCounts;
}

export type DirectOutcome = Outcome<WrittenDirectly | undefined>;

/** Writes to one station, with the outcomes of the first of them, as far as they are known. */
export interface StationCommit extends StationWrites {
  readonly outcomes: DirectOutcome[];
}

/** How often a commit is tried without a lock: other nodes may write to the station too. */
const triesWithoutLock = 2;

/**
 * Commits writes to several stations together: reads what they concern, decides what each does, and writes all of it in
 * one statement, except to stations that are no longer where they were. It holds no lock while this node thinks and
 * waits for none. What has no outcome afterwards must be committed alone.
 */
export async function commitTogether(client: ClientBase, stations: readonly StationCommit[]): Promise<void> {
  try {
    for (let tries = 0; tries < triesWithoutLock; ) {
      const rest = stations.filter(isUnfinished).map((each) => {
        return { ...each, writes: each.writes.slice(each.outcomes.length) };
      });
      if (rest.length === 0) return;
      const hasWritten = await tryCommit(client, rest);
      if (!hasWritten) tries++;
    }
  } catch (error) {
    // What is damaged or refused concerns only the writes that meet or hold it.
    if (!isRefusal(error)) throw error;
  }
}

export function isUnfinished({ writes, outcomes }: StationCommit): boolean {
  return outcomes.length < writes.length;
}

/** Commits the writes to one station, under its lock. If it throws, the first writes may have been committed. */
export async function commitAlone(client: ClientBase, station: StationCommit): Promise<void> {
  const { stationId, writes, outcomes } = station;
  while (isUnfinished(station)) {
    const rest = writes.slice(outcomes.length);
    outcomes.push(...(await commitLocked(client, stationId, rest)));
  }
}

/** The outcomes of the first writes, at least one. */
async function commitLocked(
  client: ClientBase,
  stationId: number,
  writes: readonly DirectWrite[],
): Promise<DirectOutcome[]> {
  try {
    for (;;) {
      const outcomes = await runTransaction(client, async () => {
        await client.query('SELECT FROM stations WHERE id = $1 FOR NO KEY UPDATE', [stationId]);
        const types = writes.flatMap((write) => write.records.flatMap(({ record }) => record.typeKey ?? []));
        await client.query('SELECT FROM resource_types WHERE key = ANY ($1) ORDER BY key FOR KEY SHARE', [
          types,
        ]);
        const found: DirectOutcome[] = [];
        return (await tryCommit(client, [{ stationId, writes, outcomes: found }])) ? found : undefined;
      });
      // Without outcomes a type was deleted; with the next read its writes must be staged.
      if (outcomes !== undefined) return outcomes;
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (writes.length === 1) return [{ error }];
    return commitLocked(client, stationId, writes.slice(0, 1));
  }
}

/** Adds outcomes, except for stations where something has changed between reading and writing. Whether it added any. */
async function tryCommit(client: ClientBase, stations: readonly StationCommit[]): Promise<boolean> {
  const read = await readRows(client, stations);
  const plans = stations.map((station) => ({ ...station, ...planAll(read.get(station.stationId), station) }));
  const toWrite = plans.flatMap(({ before, planned }) =>
    before === undefined || planned.length === 0 ? [] : { before, planned },
  );
  const written = toWrite.length === 0 ? new Set() : await writeRevisions(client, toWrite);
  const decided = plans.filter(({ stationId, planned }) => planned.length === 0 || written.has(stationId));
  for (const { outcomes, found } of decided) outcomes.push(...found);
  return decided.length > 0;
}

/** Decides what the first writes do, at least one, until one needs what the others have written. */
function planAll(rows: DirectRows | undefined, { writes }: StationWrites) {
  const found: DirectOutcome[] = [];
  const planned: PlannedWrite[] = [];
  if (rows === undefined) {
    found.push(...writes.map(({ address }) => ({ error: stationNotFound(address) })));
    return { before: undefined, found, planned };
  }
  let state: StationState = rows.station;
  for (const write of writes) {
    if (!rows.canTake(write)) break;
    try {
      const plan = planWrite(write, state, rows);
      if (plan.newTypes.length > 0) {
        found.push({ value: undefined });
        continue;
      }
      const changes = changesOf(state.head, plan);
      found.push({ value: { result: plan.result, changes, counts: plan.counts } });
      if (plan.changes.length === 0) continue;
      rows.apply(plan.changes, plan.head.number);
      planned.push(plan);
      state = plan;
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      found.push({ error });
    }
  }
  return { before: rows.station, found, planned };
}
