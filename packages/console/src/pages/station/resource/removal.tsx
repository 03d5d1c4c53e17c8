import type { StationClient } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { formatBoth } from '../../../format/clock.ts';
import { formatTime } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { changesHref } from '../../../navigation/changes-search.ts';
import { Link } from '../../../navigation/link.tsx';
import { usePreferences } from '../../../preferences/preferences.ts';
import { byNewest } from '../../list/live/revision-order.ts';
import { changesQuery } from './changes-query.ts';

interface RemovalProps {
  readonly station: StationClient;
  readonly resourceId: string;
}

/** Who removed a resource that is not there, and when, as far as the history tells. */
export function Removal({ station, resourceId }: RemovalProps) {
  const { panel: words, past } = useMessages();
  const { language } = usePreferences();
  const { data } = useQuery(changesQuery(station, { language, resourceId, revision: 'gone' }));
  if (data === undefined) return null;
  const [last] = data.changes.toSorted((a, b) => byNewest(a.revision, b.revision));
  if (last === undefined) return <p className="quiet">{words.removalUnknown}</p>;
  // It is back, and newer than the list.
  if (last.change !== 'removed') return null;
  const { changed_at: at, changed_by: by = past.unknownWriter } = last;
  const fromMs = Date.parse(at) - dayMs;
  const range = { fromMs, toMs: Date.parse(at) + 1 };
  return (
    <>
      <p title={formatBoth(Date.parse(at))}>{words.removed(by, formatTime(at))}</p>
      <p>
        <Link
          href={changesHref(station.address, {
            filters: { resourceIds: [resourceId] },
            range,
            isEverything: true,
          })}
        >
          {words.lastChanges}
        </Link>
      </p>
    </>
  );
}

const dayMs = 86_400_000;
