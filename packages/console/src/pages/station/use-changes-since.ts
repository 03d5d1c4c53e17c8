import { isAborted, type StationClient } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useConsoleSession } from '../../api/session.ts';

const pollMs = 15_000;

export interface ChangesSince {
  /** How many changes the stream has told of. */
  readonly count: number;
  /** Whether the station has moved on, whoever found that out. */
  readonly hasChanged: boolean;
}

/** What happened to a station after a revision: told by the stream, and asked for now and then where there is none. */
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

/** A page that nobody sees holds no connection: browsers have few of them for all tabs together. */
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
