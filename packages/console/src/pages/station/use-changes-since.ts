import { isAborted, isRevisionExpired, type SearchFilters, type StationClient } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useConsoleSession } from '../../api/session.ts';

const pollMs = 15_000;

/** What is on the screen. */
interface Shown {
  readonly filters: SearchFilters;
  readonly revision: string | undefined;
}

export interface ChangesSince {
  /** Number of changes received from the stream. */
  readonly count: number;
  /** Whether the view has changed, found by stream or polling. */
  readonly hasChanged: boolean;
}

/** Changes after a revision of what matches the filters, from the stream or, without one, by polling. */
export function useChangesSince(station: StationClient, { filters, revision }: Shown): ChangesSince {
  const count = useStreamedChanges(station, { filters, revision });
  // A poll goes on where the previous one has ended.
  const seen = useRef<{ readonly key: string; readonly position: string }>(undefined);
  const { data: isPassed = false } = useQuery({
    queryKey: ['is-passed', station.path, filters, revision],
    queryFn: async ({ signal }) => {
      if ((await station.list({ size: 0 }, { signal })).revision === revision) return false;
      if (Object.keys(filters).length === 0) return true;
      const key = JSON.stringify([station.path, filters, revision]);
      const since = seen.current?.key === key ? seen.current.position : revision;
      const history = station.manage.history({ ...filters, since, size: 1 }, { signal });
      try {
        for await (const _ of history) return true;
      } catch (error) {
        if (isRevisionExpired(error)) return true;
        throw error;
      }
      if (history.position !== undefined) seen.current = { key, position: history.position };
      return false;
    },
    enabled: revision !== undefined && count === 0,
    refetchInterval: pollMs,
  });
  return { count, hasChanged: count > 0 || isPassed };
}

/** Hidden pages close their stream, because all tabs share a few connections. */
function useStreamedChanges(station: StationClient, { filters, revision }: Shown): number {
  const { run } = useConsoleSession();
  const [seen, setSeen] = useState<Shown & { readonly count: number }>();
  useEffect(() => {
    if (revision === undefined) return;
    let count = 0;
    let position = revision;
    let stop = new AbortController();
    const follow = async ({ signal }: AbortController) => {
      const watch = station.manage.watch({ ...filters, since: position, list: false }, { signal });
      for await (const event of watch) {
        if (event.kind !== 'changed' || signal.aborted) continue;
        position = watch.position ?? position;
        count += event.changes.length;
        setSeen({ filters, revision, count });
      }
    };
    const restart = () => {
      stop.abort();
      stop = new AbortController();
      if (document.visibilityState === 'hidden') return;
      follow(stop).catch((error) => {
        // Without a stream, polling finds out.
        if (!isAborted(error)) stop.abort();
      });
    };
    restart();
    document.addEventListener('visibilitychange', restart);
    return () => {
      document.removeEventListener('visibilitychange', restart);
      stop.abort();
    };
  }, [station, filters, revision, run]);
  return seen !== undefined && seen.revision === revision && seen.filters === filters ? seen.count : 0;
}
