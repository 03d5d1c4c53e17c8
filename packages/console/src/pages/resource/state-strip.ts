import type { PastChange, RecordView } from '@roster/client';

export interface StripPart {
  readonly state: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

type Known = Pick<RecordView, 'state'>;

/**
 * The states of a resource over a span, from its changes in their order. Before it was created there are none; the state
 * that the first change ended is taken to have held before.
 */
export function stateStrip(resource: Known, changes: readonly PastChange[], span: Span): StripPart[] {
  const turns = changes.flatMap(turnOf).filter(({ atMs }) => atMs < span.toMs);
  const parts: StripPart[] = [];
  let fromMs = span.fromMs;
  let state: string | undefined = turns[0] === undefined ? resource.state : turns[0].before;
  for (const { atMs, after } of turns) {
    if (state !== undefined && atMs > fromMs) parts.push({ state, fromMs, toMs: atMs });
    fromMs = Math.max(fromMs, atMs);
    state = after;
  }
  if (state !== undefined && fromMs < span.toMs) parts.push({ state, fromMs, toMs: span.toMs });
  return parts;
}

interface Turn {
  readonly atMs: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A state may have begun before Roster heard of it. */
function turnOf({ change, changed_at, resource, fields }: PastChange): Turn[] {
  const heardAtMs = Date.parse(changed_at);
  if (change === 'removed') return [{ atMs: heardAtMs, before: resource.state, after: undefined }];
  const atMs = Math.min(heardAtMs, Date.parse(resource.state_since));
  if (change === 'created') return [{ atMs, before: undefined, after: resource.state }];
  const state = fields?.state;
  return state === undefined ? [] : [{ atMs, before: String(state.before), after: String(state.after) }];
}
