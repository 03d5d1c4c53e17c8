import { formatRevision, revisionHeader } from '@roster/contract';
import type { WriteResult } from '@roster/engine';
import type { Answer } from '../../http/answer.ts';

export function writeAnswer(result: WriteResult): Answer {
  const { created, updated, unchanged, removed, newTypes } = result;
  const revision = formatRevision(result.head);
  return {
    headers: { [revisionHeader]: revision },
    body: { revision, created, updated, unchanged, removed, new_types: newTypes },
  };
}
