import { type ChangeView, formatRevision, viewChange } from '@roster/contract';
import type { Change } from '@roster/engine';

export interface PastChangeView extends ChangeView {
  readonly revision: string;
  readonly changed_at: string;
}

export function viewPastChange(
  { revision, changedAtMs, before, after }: Change,
  epoch: string,
  labelOf: (typeKey: string) => string,
): PastChangeView {
  return {
    revision: formatRevision({ epoch, number: revision }),
    changed_at: new Date(changedAtMs).toISOString(),
    ...viewChange(before, after, labelOf),
  };
}
