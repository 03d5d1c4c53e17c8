import type { PastChange, RecordView } from '@roster/client';
import { stateTone } from '../../format/state.ts';

export interface StripPart {
  /** Undefined where the resource did not exist. */
  readonly state: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

type Known = Pick<RecordView, 'state'>;

/**
 * The states of a resource over a span, from its changes in their order. The state that the first change ended is taken to
 * have held before.
 */
export function stateStrip(resource: Known, changes: readonly PastChange[], span: Span): StripPart[] {
  const turns = changes.flatMap(turnOf).filter(({ atMs }) => atMs < span.toMs);
  const parts: StripPart[] = [];
  let fromMs = span.fromMs;
  let state: string | undefined = turns[0] === undefined ? resource.state : turns[0].before;
  for (const { atMs, after } of turns) {
    if (state === after) continue;
    if (atMs > fromMs) parts.push({ state, fromMs, toMs: atMs });
    fromMs = Math.max(fromMs, atMs);
    state = after;
  }
  if (fromMs < span.toMs) parts.push({ state, fromMs, toMs: span.toMs });
  return parts;
}

interface Turn {
  readonly atMs: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * An alert may have begun before Roster heard of it. Not so one that turns from pending to firing, or is silenced: it
 * keeps the time at which it became active.
 */
function turnOf({ change, changed_at, resource, fields }: PastChange): Turn[] {
  const heardAtMs = Date.parse(changed_at);
  if (change === 'removed') return [{ atMs: heardAtMs, before: resource.state, after: undefined }];
  const begunAtMs = Math.min(heardAtMs, Date.parse(resource.state_since));
  if (change === 'created') return [{ atMs: begunAtMs, before: undefined, after: resource.state }];
  const state = fields?.state;
  if (state === undefined) return [];
  const before = String(state.before);
  const atMs = stateTone(before) === 'inactive' ? begunAtMs : heardAtMs;
  return [{ atMs, before, after: String(state.after) }];
}
