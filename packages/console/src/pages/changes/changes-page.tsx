import { isForbidden, isNotFound, type StationAddress } from '@roster/client';
import { type ReactNode, useMemo, useState } from 'react';
import { useStation } from '../../api/api.tsx';
import { useStatesAsOf } from '../../api/sources.ts';
import { Forbidden } from '../../components/account/forbidden.tsx';
import { copyText } from '../../components/copy-text.ts';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { LiveStatus } from '../../components/live/live-status.tsx';
import { SourceBanner } from '../../components/live/source-banner.tsx';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { StationCrumbs } from '../../components/station-crumbs.tsx';
import { Text } from '../../components/text.tsx';
import { formatBoth, formatDayAndMinute, formatLocalAndUtc, formatZone } from '../../format/clock.ts';
import { useMessages } from '../../messages/messages.ts';
import { type ChangesView, changesHref, parseChangesView } from '../../navigation/changes-search.ts';
import { Link } from '../../navigation/link.tsx';
import { navigate, useLocation } from '../../navigation/location.ts';
import { isPast, rangeOf, shifted, type TimeRange } from '../../navigation/time-range.ts';
import { viewHref } from '../../navigation/view-search.ts';
import { ActiveFilters } from '../list/filters/active-filters.tsx';
import { NoStation } from '../station/no-station.tsx';
import { groupRevisions } from './group-revisions.ts';
import { RangeBar } from './range-bar.tsx';
import { RevisionList } from './revision-list.tsx';
import { type ForgottenHistory, useChanges, useForgottenHistory } from './use-changes.ts';

interface ChangesPageProps {
  readonly address: StationAddress;
}

/** What happened in a station, or to some of its resources, in a range of time. All of it is in the URL. */
export function ChangesPage({ address }: ChangesPageProps) {
  const { past: words } = useMessages();
  const { search } = useLocation();
  const [refreshes, setRefreshes] = useState(0);
  const { unreadable, ...view } = useMemo(() => parseChangesView(new URLSearchParams(search)), [search]);
  const { filters, range, isEverything } = view;
  // Fixed until the page is told otherwise: a range must not move away under the reader.
  const nowMs = useMemo(() => Date.now(), [search, refreshes]);
  const span = useMemo(() => (typeof range === 'string' ? rangeOf(range, nowMs) : range), [range, nowMs]);
  const station = useStation(address);
  const changes = useChanges(station, { filters, range: span, nowMs, isEverything });
  const { error, retry, isReadingOn } = changes;
  const { data, hasNextPage, isFetchingNextPage, isPending, fetchNextPage } = changes.pages;
  const forgotten = useForgottenHistory(station, span.fromMs);
  const groups = useMemo(() => groupRevisions(changes.changes), [changes.changes]);
  const hrefWith = (part: Partial<ChangesView>) => changesHref(address, { ...view, ...part });
  usePageTitle(words.titleOf(address.name), undefined);
  if (isForbidden(error)) return <Forbidden />;
  if (isNotFound(error)) return <NoStation address={address} />;
  return (
    <main id="content" className="page changes-page">
      <Header address={address} view={view}>
        <LiveStatus asOfMs={data === undefined ? undefined : nowMs} feed="paused" address={address} />
        <button type="button" className="button" onClick={() => setRefreshes(refreshes + 1)}>
          <Icon name="refresh" />
          <span>{words.refresh}</span>
        </button>
      </Header>
      <SourceBanner address={address} />
      <div className="changes-controls">
        <RangeBar
          key={search}
          range={range}
          span={span}
          hrefOf={(next) => hrefWith({ range: next })}
          onChoose={(next) => navigate(hrefWith({ range: next }))}
        />
        <label className="switch">
          <input
            type="checkbox"
            checked={!isEverything}
            onChange={({ target }) => navigate(hrefWith({ isEverything: !target.checked }))}
          />
          <span>{words.statesOnly}</span>
        </label>
      </div>
      <ActiveFilters
        filters={filters}
        error={undefined}
        onFilter={(next) => navigate(hrefWith({ filters: next }))}
      />
      {unreadable.length > 0 && <Notice tone="warning">{words.unreadable(unreadable.join(', '))}</Notice>}
      <SpanLine span={span} nowMs={nowMs}>
        {typeof range === 'string' && (
          <Link href={hrefWith({ range: { ...span, toMs: Math.min(span.toMs ?? nowMs, nowMs) } })}>
            {words.pin}
          </Link>
        )}
        {isPast(span, nowMs) && <ShiftedLink span={shifted(span, 1)} hrefWith={hrefWith} isLater />}
      </SpanLine>
      {forgotten && <Forgotten history={forgotten} />}
      {error && <ErrorNotice error={error} onRetry={retry} hasData={data !== undefined} />}
      {isPending && !error && <span className="skeleton" aria-busy="true" />}
      {data && groups.length === 0 && !hasNextPage && !isReadingOn && (
        <NoChanges address={address} isEverything={isEverything} toMs={Math.min(span.toMs ?? nowMs, nowMs)} />
      )}
      <RevisionList
        address={address}
        groups={groups}
        incomplete={changes.incomplete}
        isReadingOn={isReadingOn}
      />
      {hasNextPage && (
        <p className="earlier">
          <button
            type="button"
            className="button"
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {words.earlier}
          </button>
          <ShownBackTo ms={data?.pages.at(-1)?.earlier?.toMs} />
        </p>
      )}
      {data && !hasNextPage && !forgotten && span.fromMs !== undefined && (
        <p>
          <ShiftedLink span={shifted({ ...span, toMs: span.toMs ?? nowMs }, -1)} hrefWith={hrefWith} />
        </p>
      )}
    </main>
  );
}

interface HeaderProps extends ChangesPageProps {
  readonly view: ChangesView;
  readonly children: ReactNode;
}

function Header({ address, view, children }: HeaderProps) {
  const { past: words, station } = useMessages();
  const [isCopied, setCopied] = useState(false);
  const share = () => {
    void copyText(location.origin + changesHref(address, view)).then(() => setCopied(true));
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <header className="page-head">
      <div className="page-title">
        <StationCrumbs address={address} isBelow />
        <h1>
          <Text value={words.titleOf(address.name)} />
        </h1>
      </div>
      <div className="actions">
        {children}
        <Link className="button" href={viewHref(address, { filters: view.filters })}>
          <Icon name="rows" />
          <span>{station.resources}</span>
        </Link>
        <button type="button" className="button" onClick={share}>
          <Icon name="copy" />
          <span>{words.share}</span>
        </button>
        <span className="quiet" role="status">
          {isCopied ? station.copied : ''}
        </span>
      </div>
    </header>
  );
}

interface NoChangesProps extends ChangesPageProps {
  readonly isEverything: boolean;
  readonly toMs: number;
}

/** While a source does not answer, nobody knows whether anything happened. */
function NoChanges({ address, isEverything, toMs }: NoChangesProps) {
  const { past: words } = useMessages();
  const asOf = useStatesAsOf(address);
  if (asOf === 'now' || (typeof asOf === 'number' && toMs <= asOf)) {
    return <Empty title={isEverything ? words.nothing : words.noTurns} />;
  }
  return (
    <Empty title={isEverything ? words.nothingKnown : words.noTurnsKnown}>
      {typeof asOf === 'number' && (
        <p>{words.unknownAfter(formatLocalAndUtc(new Date(asOf).toISOString()))}</p>
      )}
    </Empty>
  );
}

/** A page without changes must not look as if nothing had happened. */
function Forgotten({ history: { beforeMs } }: { readonly history: ForgottenHistory }) {
  const { past: words } = useMessages();
  return (
    <Notice tone="info">
      {beforeMs === undefined
        ? words.allForgotten
        : words.forgottenBefore(formatLocalAndUtc(new Date(beforeMs).toISOString()))}
    </Notice>
  );
}

interface SpanLineProps {
  readonly span: TimeRange;
  readonly nowMs: number;
  readonly children: ReactNode;
}

/** The range in full, since names such as "last night" move on. */
function SpanLine({ span, nowMs, children }: SpanLineProps) {
  const { past: words } = useMessages();
  const from = span.fromMs === undefined ? words.beginning : formatDayAndMinute(span.fromMs);
  const toMs = Math.min(span.toMs ?? nowMs, nowMs);
  const title = [...(span.fromMs === undefined ? [] : [span.fromMs]), toMs].map(formatBoth).join('\n');
  return (
    <p className="span-line">
      <span className="quiet numeric" title={title}>
        {words.span(from, formatDayAndMinute(toMs), formatZone(toMs))}
      </span>
      {children}
    </p>
  );
}

interface ShiftedLinkProps {
  readonly span: TimeRange;
  readonly hrefWith: (part: Partial<ChangesView>) => string;
  readonly isLater?: boolean;
}

/** Leads to the same stretch of time before or after this one. */
function ShiftedLink({ span, hrefWith, isLater = false }: ShiftedLinkProps) {
  const { past: words } = useMessages();
  const [from, to] = [span.fromMs!, span.toMs!].map(formatDayAndMinute);
  return (
    <Link href={hrefWith({ range: span })}>
      {isLater ? words.laterRange(from!, to!) : words.earlierRange(from!, to!)}
    </Link>
  );
}

/** How far a search that goes on has come. */
function ShownBackTo({ ms }: { readonly ms: number | undefined }) {
  const { past: words } = useMessages();
  if (ms === undefined) return null;
  return (
    <span className="quiet numeric" title={formatBoth(ms)}>
      {words.shownBackTo(formatDayAndMinute(ms))}
    </span>
  );
}
