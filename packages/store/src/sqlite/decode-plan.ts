import { type RemovalAllowance, removalRefusal } from '@roster/contract';
import type { BatchPlan } from '@roster/engine';
import type { EncodedPlan } from './plan-batch.ts';
import { parseOptionalResource } from './resources-as-json.ts';

/** The refusal is made here because errors lose their class between threads. */
export function decodePlan(plan: EncodedPlan, allowRemoval: RemovalAllowance): BatchPlan {
  const { created, updated, removed } = plan.difference;
  return {
    head: plan.head,
    created,
    updated,
    unchanged: plan.unchanged,
    removed,
    newTypes: plan.newTypes,
    changes: plan.changes.map(({ line, before, after }) => ({
      line: line ?? undefined,
      before: parseOptionalResource(before),
      after: parseOptionalResource(after),
    })),
    refusal: removalRefusal(removed, plan.stationSize, allowRemoval),
  };
}
