import { useMemo, useState } from 'react';
import { useUntiedAlerts } from '../../api/sources.ts';
import { AsOf } from '../../components/live/as-of.tsx';
import { LiveStatus } from '../../components/live/live-status.tsx';
import { SourceBanner } from '../../components/live/source-banner.tsx';
import { useIsLate } from '../../components/live/use-is-late.ts';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { PageSkipLink } from '../../components/skip-link.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { viewHref } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { NoStations } from '../stations/no-stations.tsx';
import { AllQuiet } from './all-quiet.tsx';
import { groupAlerts } from './group-alerts.ts';
import { moveBetweenAlerts } from './move-between-alerts.ts';
import { NowTiles } from './now-tiles.tsx';
import { firstAlert, StationAlerts } from './station-alerts.tsx';
import { type Alerts, useAlerts } from './use-alerts.ts';
import { useCoverage } from './use-coverage.ts';

const lateMs = 10_000;

/** What is wrong now, in all stations. */
export function NowPage() {
  const { now: words } = useMessages();
  const { data: alerts, error, refetch, dataUpdatedAt } = useAlerts();
  const { data: coverage } = useCoverage();
  const asOfMs = alerts === undefined ? undefined : dataUpdatedAt;
  const isLate = useIsLate(asOfMs, lateMs);
  const live = { asOfMs, feed: isLate || error !== null ? 'late' : 'live' } as const;
  usePageTitle(words.title, error === null ? alerts?.firing.total : 'unknown');
  const isEmpty = coverage?.stations === 0;
  return (
    <main id="content" className="page now">
      <header className="page-head">
        <h1>{words.title}</h1>
        <div className="actions">
          <TurnedLink />
          <LiveStatus {...live} />
        </div>
      </header>
      <SourceBanner />
      <UntiedAlerts />
      {error && <ErrorNotice error={error} onRetry={refetch} hasData={alerts !== undefined} />}
      {isEmpty ? (
        <NoStations filters={{}} />
      ) : (
        <AsOf {...live}>
          <NowTiles alerts={alerts} coverage={coverage} />
          {alerts === undefined ? <NowSkeleton /> : <Groups alerts={alerts} />}
          {alerts !== undefined && alerts.firing.total + alerts.pending.total === 0 && (
            <AllQuiet alerts={alerts} coverage={coverage} />
          )}
        </AsOf>
      )}
    </main>
  );
}

/** Alerts that no list shows. */
function UntiedAlerts() {
  const { now: words } = useMessages();
  const { language } = usePreferences();
  const count = useUntiedAlerts();
  if (count === 0) return null;
  return (
    <div className="banner">
      <Notice tone="warning">
        <Link href="/sources">{words.untied(count, formatCount(count, language))}</Link>
      </Notice>
    </div>
  );
}

const newestFirst = { field: 'state_since', isDescending: true } as const;

/** What has entered its state in the last hour, quiet again or not. */
function TurnedLink() {
  const { now: words } = useMessages();
  const filters = { stateSinceAfter: 'now-1h' };
  return <Link href={viewHref(undefined, { filters, order: newestFirst })}>{words.turnedInLastHour}</Link>;
}

const firstGroups = 20;

function Groups({ alerts }: { readonly alerts: Alerts }) {
  const { now: words, common } = useMessages();
  const [shown, setShown] = useState(firstGroups);
  const groups = useMemo(() => groupAlerts(alerts), [alerts]);
  return (
    <>
      {groups.length > 0 && <PageSkipLink to={firstAlert}>{words.skipToFirst}</PageSkipLink>}
      <ul className="alert-groups" onKeyDown={moveBetweenAlerts}>
        {groups.slice(0, shown).map((group, at) => (
          <li key={group.station}>
            <StationAlerts group={group} isFirst={at === 0} />
          </li>
        ))}
      </ul>
      {groups.length > shown && (
        <button type="button" className="button more" onClick={() => setShown(shown + firstGroups)}>
          {common.more}
        </button>
      )}
    </>
  );
}

function NowSkeleton() {
  return (
    <div className="card alert-skeleton" aria-busy="true">
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton short" />
    </div>
  );
}
