import type { ExportFormat } from '@roster/contract';
import {
  type LabelOverrides,
  renderRecords,
  resourceAt,
  type Selection,
  type Snapshot,
  type TimeSlicer,
} from '@roster/engine';
import { csvHeader, renderCsvRow } from './csv.ts';

export interface ExportedRows {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly overrides: LabelOverrides | undefined;
  readonly labelOf: (typeKey: string) => string;
}

type Chunk = string | Buffer;
type RenderRows = (slots: Uint32Array, count: number) => Chunk;

const rowsPerChunk = 500;

/** Renders the selected resources chunk by chunk, as they are pulled. */
export async function* exportChunks(
  rows: ExportedRows,
  format: ExportFormat,
  slicer: TimeSlicer,
): AsyncGenerator<Chunk> {
  switch (format) {
    case 'ndjson':
      yield* renderAll(rows, recordRenderer(rows, '\n'), slicer);
      break;
    case 'csv':
      yield csvHeader;
      yield* renderAll(rows, csvRenderer(rows), slicer);
      break;
    case 'json':
      yield '[';
      yield* withoutLastByte(renderAll(rows, recordRenderer(rows, ','), slicer));
      yield ']\n';
  }
}

async function* renderAll(
  { selection }: ExportedRows,
  render: RenderRows,
  slicer: TimeSlicer,
): AsyncGenerator<Chunk> {
  const slots = new Uint32Array(rowsPerChunk);
  for (let offset = 0; offset < selection.total; offset += rowsPerChunk) {
    await slicer.pause();
    yield render(slots, selection.read(offset, rowsPerChunk, slots));
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

/** Removes the separator behind the last record. */
async function* withoutLastByte(chunks: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  let previous: Chunk | undefined;
  for await (const chunk of chunks) {
    if (previous !== undefined) yield previous;
    previous = chunk;
  }
  if (previous !== undefined) yield previous.slice(0, -1);
}
