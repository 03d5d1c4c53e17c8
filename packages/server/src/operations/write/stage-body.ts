import { limits } from '@roster/contract';
import type { Batch, BatchOptions } from '@roster/engine';
import { decodeBody } from './decode-body.ts';
import type { KnownValues } from './distinct-values.ts';
import { requireWholeListing } from './formats/record-reader.ts';
import { Utf8Text } from './formats/utf8-text.ts';
import { createReader, type RecordFormat } from './record-format.ts';
import { RecordStager } from './record-stager.ts';
import type { SourcedFields } from './sourced-fields.ts';

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
  readonly sourced?: SourcedFields | undefined;
  /** The account or address that sent it. */
  readonly party?: string | undefined;
  /** Its reason is thrown once nobody waits for the outcome. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds all records of a body to a batch, which must be discarded if this throws. `invalid_records` has all errors,
 * including conflicts between valid records. Resolves to the states that were not known.
 */
export async function stageBody(body: Body, batch: Batch): Promise<ReadonlySet<string>> {
  const maxInvalidRecords = body.format === 'yaml' ? limits.maxInvalidYamlRecords : undefined;
  const isPatch = body.mode === 'patch';
  const stager = new RecordStager(batch, { ...body, isPatch, maxInvalidRecords });
  const reader = await createReader(body.format, body.party);
  try {
    for await (const text of decodeText(body)) await stager.stage(reader.push(text));
    await stager.stage(reader.end());
  } finally {
    reader.close?.();
  }
  if (body.mode === 'replace') requireWholeListing(reader.page, stager.count);
  await stager.end();
  return stager.addedStates;
}

async function* decodeText(body: Body): AsyncGenerator<string> {
  const utf8 = new Utf8Text();
  for await (const chunk of decodeBody(body.chunks, body.encoding, limitOf(body))) yield utf8.push(chunk);
  yield utf8.end();
}

function limitOf({ format, maxBytes }: Body): { maxBytes: number; advice?: string } {
  if (format !== 'yaml' || maxBytes <= limits.maxYamlBytes) return { maxBytes };
  return { maxBytes: limits.maxYamlBytes, advice: 'YAML is read as a whole: send more than that as NDJSON' };
}
