import type { ExportFormat } from '@roster/contract';
import {
  type HeadOverrides,
  renderRecords,
  resourceAt,
  type Selection,
  type Snapshot,
  TimeSlicer,
} from '@roster/engine';
import { csvHeader, renderCsvRow } from './csv.ts';

export interface ExportedRows {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly overrides: HeadOverrides | undefined;
  readonly labelOf: (typeKey: string) => string;
}

type Chunk = string | Buffer;
type RenderRows = (slots: Uint32Array, count: number) => Chunk;

const rowsPerChunk = 500;

/** All selected resources, in parts that are rendered when they are pulled. */
export async function* exportChunks(rows: ExportedRows, format: ExportFormat): AsyncGenerator<Chunk> {
  switch (format) {
    case 'ndjson':
      yield* renderAll(rows, recordRenderer(rows, '\n'));
      break;
    case 'csv':
      yield csvHeader;
      yield* renderAll(rows, csvRenderer(rows));
      break;
    case 'json':
      yield '[';
      yield* withoutLastByte(renderAll(rows, recordRenderer(rows, ',')));
      yield ']\n';
  }
}

async function* renderAll({ selection }: ExportedRows, render: RenderRows): AsyncGenerator<Chunk> {
  const slicer = new TimeSlicer();
  const slots = new Uint32Array(rowsPerChunk);
  for (let offset = 0; offset < selection.total; offset += rowsPerChunk) {
    yield render(slots, selection.read(offset, rowsPerChunk, slots));
    if (slicer.isDue) await slicer.pause();
  }
}

function recordRenderer({ snapshot, overrides }: ExportedRows, separator: '\n' | ','): RenderRows {
  return (slots, count) =>
    renderRecords({ snapshot, slots, count, overrides }, separator, Buffer.allocUnsafe);
}

function csvRenderer({ snapshot, labelOf }: ExportedRows): RenderRows {
  return (slots, count) => {
    let text = '';
    for (let at = 0; at < count; at++) {
      const resource = resourceAt(snapshot, slots[at]!);
      text += renderCsvRow(resource, labelOf(resource.typeKey));
    }
    return text;
  };
}

/** A separator stands behind every record, also behind the last one. */
async function* withoutLastByte(chunks: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  let previous: Chunk | undefined;
  for await (const chunk of chunks) {
    if (previous !== undefined) yield previous;
    previous = chunk;
  }
  if (previous !== undefined) yield previous.slice(0, -1);
}
