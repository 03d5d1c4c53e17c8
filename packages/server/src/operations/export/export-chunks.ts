import {
  type ExportFormat,
  formatLabels,
  isoTime,
  neutraliseCell,
  parseLabels,
  type Resource,
} from '@roster/contract';
import {
  type LabelOverrides,
  renderRecords,
  resourceAt,
  type Selection,
  type Snapshot,
  type TimeSlicer,
} from '@roster/engine';

export interface ExportedRows {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly overrides: LabelOverrides | undefined;
  readonly labelOf: (typeKey: string) => string;
}

type Chunk = string | Buffer;
type RenderRows = (slots: Uint32Array, count: number) => Chunk;

const rowsPerChunk = 500;
const maxKnownCells = 4096;

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

/** Removes the separator after the last record. */
async function* withoutLastByte(chunks: AsyncGenerator<Chunk>): AsyncGenerator<Chunk> {
  let previous: Chunk | undefined;
  for await (const chunk of chunks) {
    if (previous !== undefined) yield previous;
    previous = chunk;
  }
  if (previous !== undefined) yield previous.slice(0, -1);
}

function csvRenderer({ snapshot, labelOf }: ExportedRows): RenderRows {
  const cellOf = labelCells();
  return (slots, count) => {
    let text = '';
    for (let at = 0; at < count; at++) {
      const resource = resourceAt(snapshot, slots[at]!);
      text += renderCsvRow(resource, labelOf(resource.typeKey), cellOf(resource.labels));
    }
    return text;
  };
}

/** Cells of labels in stored form. Many resources share theirs. */
function labelCells(): (labels: string) => string {
  const cells = new Map<string, string>();
  return (labels) => {
    if (cells.size >= maxKnownCells) cells.clear();
    return cells.getOrInsertComputed(labels, () => textCell(formatLabels(parseLabels(labels))));
  };
}

/** The fields in the order of `renderCsvRow`. */
const csvHeader =
  'resource_id,name,display_name,resource_type,resource_type_label,product,alertable,state,' +
  'alert_rules_count,sku,gpu_model,create_time,state_since,labels\r\n';

/** One line of CSV. Cells that a spreadsheet would run as a formula are neutralised. */
function renderCsvRow(resource: Resource, label: string, labelCell: string): string {
  const { typeKey, product, alertable, state, alertRulesCount, createTime, stateSinceMs } = resource;
  return (
    `${textCell(resource.resourceId)},${textCell(resource.name)},${textCell(resource.displayName)}` +
    `,${typeKey},${textCell(label)},${product},${alertable},${state},${alertRulesCount}` +
    `,${textCell(resource.sku)},${textCell(resource.gpuModel)},${createTime},${isoTime(stateSinceMs)},${labelCell}\r\n`
  );
}

/** One test for the cells that need neither quotes nor neutralising, which are most. */
const needsNothing = /^[A-Za-z0-9][^",\r\n]*(?<!\s)$/;

/** Leading and trailing blanks are quoted, because some readers trim unquoted cells. */
const needsQuotes = /[",\r\n]|^\s|\s$/;

function textCell(text: string): string {
  if (text === '' || needsNothing.test(text)) return text;
  const cell = neutraliseCell(text);
  return needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
