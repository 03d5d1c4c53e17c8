import { isAborted, type StationClient } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useConsoleSession } from '../../api/session.ts';

const pollMs = 15_000;

export interface ChangesSince {
  /** Number of changes received from the stream. */
  readonly count: number;
  /** Whether the station has changed, found by stream or polling. */
  readonly hasChanged: boolean;
}

/** Changes of a station after a revision, from the stream or, without one, by polling. */
export function useChangesSince(station: StationClient, revision: string | undefined): ChangesSince {
  const count = useStreamedChanges(station, revision);
  const { data: isPassed = false } = useQuery({
    queryKey: ['is-passed', station.path, revision],
    queryFn: async ({ signal }) => (await station.list({ size: 0 }, { signal })).revision !== revision,
    enabled: revision !== undefined && count === 0,
    refetchInterval: pollMs,
  });
  return { count, hasChanged: count > 0 || isPassed };
}

/** Hidden pages close their stream, because all tabs share a few connections. */
function useStreamedChanges(station: StationClient, revision: string | undefined): number {
  const { run } = useConsoleSession();
  const [seen, setSeen] = useState<{ readonly since: string | undefined; readonly count: number }>();
  useEffect(() => {
    if (revision === undefined) return;
    let count = 0;
    let position = revision;
    let stop = new AbortController();
    const follow = async ({ signal }: AbortController) => {
      const watch = station.manage.watch({ since: position, list: false }, { signal });
      for await (const event of watch) {
        if (event.kind !== 'changed' || signal.aborted) continue;
        position = watch.position ?? position;
        count += event.changes.length;
        setSeen({ since: revision, count });
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
  }, [station, revision, run]);
  return seen !== undefined && seen.since === revision ? seen.count : 0;
}
