import { expect } from 'vitest';
import type { PastChange, RecordView } from './station-answers.ts';

/** A station as its history tells of it. */
export type Replayed = Map<string, RecordView>;

/** Applies one change of a history, which must begin where the last one of its resource ended. */
export function applyChange(
  state: Replayed,
  { change, resource_id: id, resource, fields }: PastChange,
): void {
  const before = state.get(id);
  if (change === 'created') expect(before).toBeUndefined();
  else if (change === 'removed') expect(resource).toEqual(before);
  else {
    const plain: Record<string, unknown> = { ...before, resource_type: before!.resource_type.key };
    const differences = Object.entries(fields!);
    expect(differences).not.toEqual([]);
    for (const [name, value] of differences) expect(value.before).toEqual(fieldOf(before!, plain, name));
  }
  if (change === 'removed') state.delete(id);
  else state.set(id, resource);
}

/** A label has a name of its own, and null stands for none. */
function fieldOf({ labels }: RecordView, plain: Record<string, unknown>, name: string): unknown {
  return name.startsWith('labels.') ? (labels[name.slice('labels.'.length)] ?? null) : plain[name];
}
