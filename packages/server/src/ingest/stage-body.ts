import { limits } from '@roster/contract';
import type { Batch, BatchOptions } from '@roster/engine';
import { decodeBody } from './decode-body.ts';
import type { KnownValues } from './distinct-values.ts';
import { requireWholeListing } from './listing-page.ts';
import { createReader, type RecordFormat } from './record-format.ts';
import { RecordStager } from './record-stager.ts';
import { Utf8Text } from './utf8-text.ts';

export interface Body {
  readonly chunks: AsyncIterable<Buffer>;
  readonly format: RecordFormat;
  /** The `Content-Encoding`. */
  readonly encoding?: string | undefined;
  readonly maxBytes: number;
  readonly mode?: BatchOptions['mode'];
  /** The path of the station that the batch belongs to. */
  readonly station: string;
  readonly known: KnownValues;
  /** Aborted when nobody waits for the outcome any more; its reason is then thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds all records of a body to a batch, which is then ready for `plan` or `commit`. When anything is wrong
 * with the body it throws, and the batch is to be discarded: `invalid_records` comes with all faults, the
 * conflicts of the faultless records included.
 */
export async function stageBody(body: Body, batch: Batch): Promise<void> {
  const maxFaultyRecords = body.format === 'yaml' ? limits.maxFaultyYamlRecords : undefined;
  const stager = new RecordStager(batch, { ...body, maxFaultyRecords });
  const reader = await createReader(body.format);
  for await (const text of decodeText(body)) await stager.stage(reader.push(text));
  await stager.stage(reader.end());
  if (body.mode === 'replace') requireWholeListing(reader.page, stager.count);
  await stager.end();
}

async function* decodeText({ chunks, encoding, maxBytes }: Body): AsyncGenerator<string> {
  const utf8 = new Utf8Text();
  for await (const chunk of decodeBody(chunks, encoding, { maxBytes })) yield utf8.push(chunk);
  yield utf8.end();
}
