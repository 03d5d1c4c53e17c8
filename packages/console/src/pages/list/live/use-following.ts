import {
  isAborted,
  isRevisionExpired,
  type PastChange,
  type SearchFilters,
  type StationClient,
} from '@roster/client';
import { useEffect, useRef, useState } from 'react';
import { checkConnection, noteAnswer } from '../../../api/connection.ts';
import { useConsoleSession } from '../../../api/session.ts';
import { useMarks } from './use-marks.ts';
import { type ChangeTally, type Turn, ViewChanges } from './view-changes.ts';

/** Renders at most this often, however many changes there are. */
const paceMs = 200;
const pollMs = 5_000;
const hiddenPollMs = 15_000;

/** What is on the screen. */
interface Shown {
  readonly filters: SearchFilters;
  readonly revision: string | undefined;
}

export interface Following {
  readonly feed: 'starting' | 'live' | 'late';
  /** When the server last said that there are no changes but these. */
  readonly asOfMs: number | undefined;
  /** Changes of the view that are not on the screen. */
  readonly pending: ChangeTally;
  /** Whether there are changes, even if their number is not known. */
  readonly hasChanged: boolean;
  /** The rows that the last change of the screen was about. */
  readonly turned: ReadonlyMap<string, Turn>;
}

interface Progress {
  /** Whose progress it is. */
  readonly filters?: SearchFilters;
  readonly feed: Following['feed'];
  readonly asOfMs: number | undefined;
  readonly pending: ChangeTally;
  readonly isPassed: boolean;
}

const nothing: ChangeTally = { count: 0, firing: 0, resolved: 0 };
const beginning: Progress = { feed: 'starting', asOfMs: undefined, pending: nothing, isPassed: false };

/** Follows the changes of what matches the filters, from the stream or, without one, by polling. */
export function useFollowing(station: StationClient, { filters, revision }: Shown): Following {
  const { run } = useConsoleSession();
  const [progress, setProgress] = useState<Progress>(beginning);
  const changes = useRef(new ViewChanges());
  const shown = useRef(revision);
  shown.current = revision;
  const isReady = revision !== undefined;
  useEffect(() => {
    if (!isReady) return;
    const pending = new ViewChanges();
    changes.current = pending;
    setProgress({ ...beginning, filters });
    return follow(station, filters, {
      since: () => shown.current,
      onChanges: (some) => pending.add(some),
      onProgress: (part) => setProgress((before) => ({ ...before, ...part, pending: pending.tally() })),
    });
  }, [station, filters, isReady, run]);
  const turned = useTurned(changes, revision, () =>
    setProgress((before) => ({ ...before, pending: changes.current.tally(), isPassed: false })),
  );
  const { feed, asOfMs, pending, isPassed } = progress.filters === filters ? progress : beginning;
  return { feed, asOfMs, pending, hasChanged: pending.count > 0 || isPassed, turned };
}

/** The resources that a new snapshot brought news of, for a while. */
function useTurned(
  changes: { readonly current: ViewChanges },
  revision: string | undefined,
  onShown: () => void,
): ReadonlyMap<string, Turn> {
  const [turned, mark] = useMarks();
  const tell = useRef(onShown);
  tell.current = onShown;
  useEffect(() => {
    if (revision === undefined) return;
    const taken = changes.current.takeUpTo(revision);
    tell.current();
    if (taken.size > 0) mark(taken);
  }, [changes, revision, mark]);
  return turned;
}

interface Reader {
  readonly since: () => string | undefined;
  readonly onChanges: (changes: readonly PastChange[]) => void;
  readonly onProgress: (part: Partial<Omit<Progress, 'pending'>>) => void;
}

/** Hidden pages close their stream and ask now and then, because all tabs share a few connections. */
function follow(station: StationClient, filters: SearchFilters, reader: Reader): () => void {
  let stop = new AbortController();
  let position: string | undefined;
  let isStreaming = false;
  let polledAtMs = 0;
  const pace = paced(reader.onProgress);
  const hear = () => {
    isStreaming = true;
    noteAnswer();
    pace({ feed: 'live', asOfMs: Date.now() });
  };
  const interrupt = () => {
    isStreaming = false;
    pace.stop();
    if (Date.now() - polledAtMs > 2 * pollMs) reader.onProgress({ feed: 'late' });
    void checkConnection();
  };
  const stream = async (signal: AbortSignal) => {
    const watch = station.manage.watch(
      { ...filters, since: position ?? reader.since(), list: false },
      { signal, onCurrent: () => !signal.aborted && hear(), onInterrupted: interrupt },
    );
    for await (const event of watch) {
      if (event.kind !== 'changed' || signal.aborted) continue;
      position = watch.position ?? position;
      reader.onChanges(event.changes);
      hear();
    }
  };
  // Where no stream comes through, asking finds out.
  const poll = async (pauseMs: number, signal: AbortSignal) => {
    while (!signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (isStreaming || signal.aborted) continue;
      const asked = hasMoved(station, filters, { since: reader.since(), signal });
      const isPassed = await asked.catch(() => undefined);
      if (isStreaming || signal.aborted) continue;
      if (isPassed === undefined) reader.onProgress({ feed: 'late' });
      else {
        polledAtMs = Date.now();
        reader.onProgress({ feed: 'live', asOfMs: polledAtMs, isPassed });
      }
    }
  };
  const restart = () => {
    stop.abort();
    stop = new AbortController();
    isStreaming = false;
    const { signal } = stop;
    const isHidden = document.visibilityState === 'hidden';
    void poll(isHidden ? hiddenPollMs : pollMs, signal);
    if (isHidden) return;
    reader.onProgress({ feed: 'starting' });
    stream(signal).catch((error) => {
      if (!isAborted(error) && !signal.aborted) interrupt();
    });
  };
  restart();
  document.addEventListener('visibilitychange', restart);
  return () => {
    document.removeEventListener('visibilitychange', restart);
    stop.abort();
    pace.stop();
  };
}

interface Poll {
  readonly since: string | undefined;
  readonly signal: AbortSignal;
}

/** Whether the view has changed after a revision. */
async function hasMoved(
  station: StationClient,
  filters: SearchFilters,
  { since, signal }: Poll,
): Promise<boolean> {
  if ((await station.list({ size: 0 }, { signal })).revision === since) return false;
  if (Object.keys(filters).length === 0) return true;
  try {
    for await (const _ of station.manage.history({ ...filters, since, size: 1 }, { signal })) return true;
  } catch (error) {
    if (isRevisionExpired(error)) return true;
    throw error;
  }
  return false;
}

/** Passes on the first of many calls at once, and the last one of every pause. */
function paced<Part>(send: (part: Part) => void): ((part: Part) => void) & { stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: Part | undefined;
  const later = () => {
    timer = undefined;
    if (waiting === undefined) return;
    const part = waiting;
    waiting = undefined;
    pass(part);
  };
  const pass = (part: Part) => {
    if (timer !== undefined) {
      waiting = part;
      return;
    }
    send(part);
    timer = setTimeout(later, paceMs);
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    waiting = undefined;
  };
  return Object.assign(pass, { stop });
}
