import {
  type LabelOverrides,
  renderRows,
  type Selection,
  type Snapshot,
  type TimeSlicer,
} from '@roster/engine';

export interface ListedRows {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly overrides: LabelOverrides | undefined;
}

const rowsPerChunk = 100;

/** A whole list from one snapshot, rendered as it is pulled. A long one takes turns with others. */
export async function* listChunks(rows: ListedRows, slicer?: TimeSlicer): AsyncGenerator<Buffer | string> {
  const { snapshot, selection, overrides } = rows;
  const slots = new Uint32Array(rowsPerChunk);
  for (let offset = 0; offset < selection.total; offset += rowsPerChunk) {
    await slicer?.pause();
    const count = selection.read(offset, rowsPerChunk, slots);
    const before = offset === 0 ? '{"resources":[' : ',';
    yield renderRows(before, { snapshot, slots, count, overrides }, '', Buffer.allocUnsafe);
  }
  yield selection.total === 0 ? '{"resources":[],"page":null}' : '],"page":null}';
}
