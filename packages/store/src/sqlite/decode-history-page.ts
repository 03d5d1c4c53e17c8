import type { HistoryPage } from '@roster/engine';
import type { EncodedHistoryPage } from './read-history.ts';
import { parseOptionalResource } from './resources-as-json.ts';

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
