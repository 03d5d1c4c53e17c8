import type { Batch, WriteResult } from '@roster/engine';
import { type Body, stageBody } from './stage-body.ts';

/** Stages a body and commits it as one revision, or nothing of it. */
export async function writeBody(body: Body, batch: Batch): Promise<WriteResult> {
  await stageBody(body, batch);
  return await batch.commit();
}
