import type { ServerResponse } from 'node:http';
import { renderRows, type Selection, type Snapshot, TimeSlicer } from '@roster/engine';
import { AnswerMemory } from './answer-memory.ts';
import { drained } from './drained.ts';
import type { Rendition } from './rendition.ts';

const rowsPerChunk = 100;

/** Writes the whole list from one snapshot, never faster than the client reads. */
export async function streamList(
  response: ServerResponse,
  list: { readonly snapshot: Snapshot; readonly selection: Selection; readonly rendition: Rendition },
): Promise<void> {
  const { snapshot, selection, rendition } = list;
  const slicer = new TimeSlicer();
  const slots = new Uint32Array(rowsPerChunk);
  const memory = new AnswerMemory();
  for (let offset = 0; offset < selection.total; offset += rowsPerChunk) {
    const count = selection.read(offset, rowsPerChunk, slots);
    const before = offset === 0 ? '{"resources":[' : ',';
    const chunk = renderRows(
      before,
      { snapshot, slots, count, overrides: rendition.overrides },
      '',
      memory.take,
    );
    if (response.destroyed) return;
    const isAccepted = response.write(chunk);
    memory.given(response);
    if (!isAccepted) await drained(response);
    if (slicer.isDue) await slicer.pause();
  }
  response.end(selection.total === 0 ? '{"resources":[],"page":null}' : '],"page":null}');
}
