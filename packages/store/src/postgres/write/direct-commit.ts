import { RosterError, stationNotFound } from '@roster/contract';
import type { StationChanges, WriteResult } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import {
  changesOf,
  type DirectWrite,
  type PlannedWrite,
  planWrite,
  type StationState,
} from '../../shared/direct/direct-write.ts';
import type { Outcome } from '../../shared/direct/shared-commits.ts';
import { runTransaction } from '../connection/run-transaction.ts';
import { isDamage, isUniqueViolation } from '../connection/translate-error.ts';
import { type DirectRows, readRows, writeRevisions } from './direct-rows.ts';

/** Undefined where a write must be staged: it has types that are not in the catalog. */
interface WrittenDirectly {
  readonly result: WriteResult;
  readonly changes: StationChanges;
}

export type DirectOutcome = Outcome<WrittenDirectly | undefined>;

/** How often a commit is tried without a lock: other nodes may write to the station too. */
const triesWithoutLock = 2;

/**
 * Commits writes to one station together: reads what they concern, decides what each does, and writes all of it in one
 * statement if the station is still where it was. No lock is held while this node thinks. Outcomes are added as they
 * are known: if it throws, the first writes may have been committed.
 */
export async function commitTogether(
  client: ClientBase,
  stationId: number,
  writes: readonly DirectWrite[],
  outcomes: DirectOutcome[],
): Promise<void> {
  while (outcomes.length < writes.length) {
    const rest = writes.slice(outcomes.length);
    outcomes.push(...(await commitSome(client, stationId, rest)));
  }
}

/** The outcomes of the first writes, at least one. */
async function commitSome(
  client: ClientBase,
  stationId: number,
  writes: readonly DirectWrite[],
): Promise<DirectOutcome[]> {
  try {
    for (let tries = 0; tries < triesWithoutLock; tries++) {
      const outcomes = await tryCommit(client, stationId, writes);
      if (outcomes !== undefined) return outcomes;
    }
    return await commitLocked(client, stationId, writes);
  } catch (error) {
    // A damaged row concerns only the writes that meet it.
    if (writes.length > 1 && (isDamage(error) || isUniqueViolation(error))) {
      return commitSome(client, stationId, writes.slice(0, 1));
    }
    if (writes.length === 1 && isDamage(error)) return [{ error }];
    throw error;
  }
}

async function commitLocked(
  client: ClientBase,
  stationId: number,
  writes: readonly DirectWrite[],
): Promise<DirectOutcome[]> {
  for (;;) {
    const outcomes = await runTransaction(client, async () => {
      await client.query('SELECT FROM stations WHERE id = $1 FOR NO KEY UPDATE', [stationId]);
      return tryCommit(client, stationId, writes);
    });
    // Without outcomes a type was deleted; with the next read its writes must be staged.
    if (outcomes !== undefined) return outcomes;
  }
}

/** Undefined when something has changed between reading and writing. */
async function tryCommit(
  client: ClientBase,
  stationId: number,
  writes: readonly DirectWrite[],
): Promise<DirectOutcome[] | undefined> {
  const rows = await readRows(client, stationId, writes);
  if (rows === undefined) return writes.map(({ address }) => ({ error: stationNotFound(address) }));
  const { outcomes, planned } = planAll(rows, writes);
  if (planned.length > 0 && !(await writeRevisions(client, rows.station, planned))) return undefined;
  return outcomes;
}

function planAll(rows: DirectRows, writes: readonly DirectWrite[]) {
  const outcomes: DirectOutcome[] = [];
  const planned: PlannedWrite[] = [];
  let state: StationState = rows.station;
  for (const write of writes) {
    if (!rows.canTake(write)) break;
    try {
      const plan = planWrite(write, state, rows);
      if (plan.newTypes.length > 0) {
        outcomes.push({ value: undefined });
        continue;
      }
      outcomes.push({ value: { result: plan.result, changes: changesOf(state.head, plan) } });
      if (plan.changes.length === 0) continue;
      rows.apply(plan.changes, plan.head.number);
      planned.push(plan);
      state = plan;
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      outcomes.push({ error });
    }
  }
  return { outcomes, planned };
}
