import { type RemovalAllowance, removalRefusal } from '@roster/contract';
import { type BatchPlan, type HistoryPage, type PlannedChange, TimeSlicer } from '@roster/engine';
import { parseOptionalResource } from '../database/resource-columns.ts';
import type { EncodedHistoryPage } from '../reader/read-history.ts';
import type { EncodedPlan } from '../writer/plan-batch.ts';

const changesPerLookAtClock = 16;

/** Made here because errors lose their class between threads. */
export async function decodePlan(plan: EncodedPlan, allowRemoval: RemovalAllowance): Promise<BatchPlan> {
  const { created, updated, removed } = plan.difference;
  const slicer = new TimeSlicer();
  const changes: PlannedChange[] = [];
  for (const { line, before, after } of plan.changes) {
    if (changes.length % changesPerLookAtClock === 0 && slicer.isDue) await slicer.pause();
    changes.push({
      line: line ?? undefined,
      before: parseOptionalResource(before),
      after: parseOptionalResource(after),
    });
  }
  return {
    head: plan.head,
    created,
    updated,
    unchanged: plan.unchanged,
    removed,
    newTypes: plan.newTypes,
    changes,
    refusal: removalRefusal(removed, plan.stationSize, allowRemoval),
  };
}

export function decodeHistoryPage({ changes, next, hasMore }: EncodedHistoryPage): HistoryPage {
  return {
    changes: changes.map(({ revision, changedAtMs, before, after }) => ({
      revision,
      changedAtMs,
      before: parseOptionalResource(before),
      after: parseOptionalResource(after),
    })),
    next,
    hasMore,
  };
}
