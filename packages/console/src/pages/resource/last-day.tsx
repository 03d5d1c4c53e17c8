import type { StationClient, StoredResource } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../components/live/use-now.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { isIn } from '../list/live/revision-order.ts';
import { mostChanges } from '../station/resource/changes-query.ts';
import { stateStrip } from './state-strip.ts';
import { StateStripView } from './state-strip-view.tsx';

const dayMs = 24 * 3_600_000;

interface LastDayProps {
  readonly station: StationClient;
  readonly resource: StoredResource;
}

/** The states of the last 24 hours, as far as the history goes. */
export function LastDay({ station, resource }: LastDayProps) {
  const { resource: words } = useMessages();
  const { language } = usePreferences();
  const { resource_id: resourceId, revision } = resource;
  const nowMs = useNow();
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['day', station.path, language, resourceId, revision],
    queryFn: ({ signal }) => {
      const changedAfter = new Date(Date.now() - dayMs);
      const query = { resourceId, changedAfter, size: mostChanges };
      return station.manage.changes(query, { signal });
    },
  });
  if (error) return <ErrorNotice error={error} />;
  if (data === undefined) return <span className="skeleton" />;
  if (data.has_more) return <p className="quiet">{words.tooManyChanges}</p>;
  const changes = data.changes.filter((each) => isIn(each.revision, revision));
  const toMs = Math.max(nowMs, dataUpdatedAt);
  const span = { fromMs: toMs - dayMs, toMs };
  return <StateStripView parts={stateStrip(resource, changes, span)} span={span} />;
}
