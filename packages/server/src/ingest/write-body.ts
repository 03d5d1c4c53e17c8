import { isUtf8 } from 'node:buffer';
import { type ParsedRecord, parseRecord, quote, RosterError } from '@roster/contract';
import type { Batch, StagedRecord, WriteResult } from '@roster/engine';
import { FaultList } from './fault-list.ts';
import { JsonArraySplitter } from './json-array-splitter.ts';
import { NdjsonSplitter } from './ndjson-splitter.ts';
import type { RecordSplitter, RecordText } from './record-splitter.ts';

const recordsPerAdd = 1000;
const maxRecordBytes = 64 * 1024;

/** The record formats that a body can have. */
export type RecordFormat = 'ndjson' | 'json';

export interface Body {
  readonly chunks: AsyncIterable<Buffer>;
  readonly format: RecordFormat;
  readonly maxBytes: number;
}

/** Reads a body into a batch and commits it; on any fault in it, throws with all of them and commits nothing. */
export async function writeBody(body: Body, batch: Batch): Promise<WriteResult> {
  try {
    const faults = await stageBody(body, batch);
    if (faults.total > 0) {
      faults.merge(await batch.validate());
      throw faults.toError();
    }
  } catch (error) {
    await batch.discard();
    throw error;
  }
  return await batch.commit();
}

async function stageBody({ chunks, format, maxBytes }: Body, batch: Batch): Promise<FaultList> {
  const faults = new FaultList();
  const splitter = createSplitter(format);
  let staged: StagedRecord[] = [];
  let size = 0;
  const take = (text: RecordText) => {
    const parsed = readRecord(text);
    if ('faults' in parsed) faults.add(...parsed.faults);
    else staged.push({ line: text.line, record: parsed.record });
  };
  for await (const chunk of chunks) {
    if (size + chunk.length > maxBytes) throw bodyTooLarge(maxBytes);
    for (const text of splitter.push(chunk)) take(text);
    size += chunk.length;
    if (staged.length >= recordsPerAdd) {
      await batch.add(staged);
      staged = [];
    }
  }
  for (const text of splitter.end()) take(text);
  if (staged.length > 0) await batch.add(staged);
  return faults;
}

export function bodyTooLarge(maxBytes: number): RosterError {
  return new RosterError('body_too_large', `the body may have at most ${maxBytes} bytes; send it in parts`);
}

function createSplitter(format: RecordFormat): RecordSplitter {
  return format === 'ndjson' ? new NdjsonSplitter(maxRecordBytes) : new JsonArraySplitter(maxRecordBytes);
}

function readRecord({ line, bytes }: RecordText): ParsedRecord {
  if (bytes === undefined) return recordFault(line, `a record may have at most ${maxRecordBytes} bytes`);
  if (!isUtf8(bytes)) return recordFault(line, 'is not valid UTF-8');
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return recordFault(line, `is not valid JSON: ${jsonReason(error)}, got ${quote(text.trim())}`);
  }
  return parseRecord(value, line);
}

function recordFault(line: number, reason: string): ParsedRecord {
  return { faults: [{ line, field: undefined, reason }] };
}

/** The engine's message without the excerpt of the text that it ends in. */
function jsonReason(error: unknown): string {
  return (error as Error).message.split(/, "|, \.\.\.|\n/)[0]!.slice(0, 100);
}
