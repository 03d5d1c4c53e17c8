import type { HistoryPage, PastChange } from '@roster/client';

/** A part of a history. Without an end it goes up to the newest change. */
export interface HistoryWindow {
  readonly fromMs: number;
  readonly toMs: number | undefined;
  /** Where an earlier page of the same window ended. */
  readonly since: string | undefined;
}

/** Reads a page of a window, oldest first. */
export type ReadWindow = (window: HistoryWindow) => Promise<HistoryPage>;

/** Where to go on with what is earlier. */
export interface EarlierPosition {
  readonly toMs: number | undefined;
  readonly widthMs: number;
  /** Where the last window that was too wide began. */
  readonly wideMs?: number | undefined;
}

export interface EarlierChanges {
  /** Those of one revision are in order; the revisions need not be. */
  readonly changes: readonly PastChange[];
  /** Undefined if there is nothing earlier. */
  readonly earlier: EarlierPosition | undefined;
  /** What else the earliest moment has, if it has more changes than a page. */
  readonly rest: HistoryWindow | undefined;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number | undefined;
  readonly nowMs: number;
}

const enoughChanges = 100;
const mostRequests = 40;
const factor = 4;
const mostRequestsForRest = 20;

/** Where to begin: with all of it at once, which mostly is a single page. */
export function newestPosition({ fromMs, toMs, nowMs }: Span): EarlierPosition {
  return { toMs, widthMs: Math.max(1, (toMs ?? nowMs) - fromMs) };
}

/**
 * Reads the newest changes before a position, although the server reads forwards only: a window at the end of the time
 * left is narrowed until a page holds all of it, and moves towards the start. All changes of a revision have one time,
 * so no window cuts one in two.
 */
export async function readBackwards(
  read: ReadWindow,
  { fromMs, nowMs }: Omit<Span, 'toMs'>,
  position: EarlierPosition,
): Promise<EarlierChanges> {
  const changes: PastChange[] = [];
  let at = position;
  for (let requests = 0; requests < mostRequests && changes.length < enoughChanges; requests++) {
    const { toMs, widthMs, wideMs } = at;
    const endMs = toMs ?? nowMs;
    const startMs = Math.max(fromMs, endMs - widthMs);
    const page = await read({ fromMs: startMs, toMs, since: undefined });
    const isMoment = endMs - startMs <= 1;
    if (page.has_more && !isMoment) {
      at = { toMs, ...narrowed(page, startMs, endMs) };
      continue;
    }
    changes.push(...page.changes);
    const leftMs = wideMs === undefined ? 0 : startMs - wideMs;
    if (leftMs <= 0) at = { toMs: startMs, widthMs: startMs - fromMs };
    else {
      const isEmpty = page.changes.length === 0;
      const nextMs = isEmpty ? Math.min(widthMs * factor, Math.ceil(leftMs / 2)) : Math.min(widthMs, leftMs);
      at = { toMs: startMs, widthMs: nextMs, wideMs };
    }
    const earlier = startMs <= fromMs ? undefined : at;
    if (page.has_more) return { changes, earlier, rest: { fromMs: startMs, toMs, since: page.next } };
    if (earlier === undefined) return { changes, earlier, rest: undefined };
  }
  return { changes, earlier: at, rest: undefined };
}

/** Reads on in a moment. What is left after so many requests is the rest. */
export async function readRest(
  read: ReadWindow,
  window: HistoryWindow,
): Promise<Pick<EarlierChanges, 'changes' | 'rest'>> {
  const changes: PastChange[] = [];
  let rest: HistoryWindow | undefined = window;
  for (let requests = 0; requests < mostRequestsForRest && rest !== undefined; requests++) {
    const page: HistoryPage = await read(rest);
    changes.push(...page.changes);
    rest = page.has_more ? { ...rest, since: page.next } : undefined;
  }
  return { changes, rest };
}

/** A window whose first page this is has more: begins later, and after that page. */
function narrowed({ changes }: HistoryPage, startMs: number, endMs: number) {
  const first = timeOf(changes[0]) ?? startMs;
  const last = timeOf(changes.at(-1)) ?? startMs;
  const isBurst = first === last && changes.length > 0;
  // What came after the page of one moment, such as an import, may well fit a page. If so, that moment is next.
  const laterMs = isBurst ? last + 1 : Math.max(endMs - Math.floor((endMs - startMs) / factor), last + 1);
  return { widthMs: Math.max(1, endMs - laterMs), wideMs: isBurst ? last : startMs };
}

function timeOf(change: PastChange | undefined): number | undefined {
  return change && Date.parse(change.changed_at);
}

/** How the server is asked for a window. */
export function windowQuery({ fromMs, toMs, since }: HistoryWindow) {
  return {
    since,
    ...(fromMs > 0 && { changedAfter: new Date(fromMs) }),
    ...(toMs !== undefined && { changedBefore: new Date(toMs) }),
  };
}
