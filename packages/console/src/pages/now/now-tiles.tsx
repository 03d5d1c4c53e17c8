import type { ReactNode } from 'react';
import { useDoubts } from '../../api/sources.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useStateName } from '../../components/state-mark.tsx';
import { formatCount, formatShare } from '../../format/format.ts';
import { shortState, sortedStates, stateTone } from '../../format/state.ts';
import { useMessages } from '../../messages/messages.ts';
import type { ListFilters } from '../../navigation/filter-parameters.ts';
import { Link } from '../../navigation/link.tsx';
import { viewHref } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import type { Alerts, StateAlerts } from './use-alerts.ts';
import type { Coverage } from './use-coverage.ts';

const bySince = { field: 'state_since', isDescending: false } as const;

const everywhereHref = (filters: ListFilters) => viewHref(undefined, { filters, order: bySince });

interface NowTilesProps {
  /** Undefined while loading. */
  readonly alerts: Alerts | undefined;
  readonly coverage: Coverage | undefined;
}

/** Totals over all stations; each leads to the list that it counts. */
export function NowTiles({ alerts, coverage }: NowTilesProps) {
  const { now: words, states } = useMessages();
  const { language } = usePreferences();
  const stateName = useStateName();
  const count = (value: number) => formatCount(value, language);
  const others = sortedStates(alerts?.states ?? {}).filter(([state]) => stateTone(state) === 'other');
  const doubts = [...useDoubts().values()];
  const isUnread = doubts.some(({ readAt }) => readAt === undefined);
  const areRulesUnread = doubts.some((each) => each.areRulesUnread);
  const suppressed = alerts?.states.ALERTSTATE_SUPPRESSED ?? 0;
  return (
    <ul className="now-tiles" aria-label={words.totals}>
      <Tile
        name={states.firing}
        tone="firing"
        icon="alert"
        count={alerts?.firing.total}
        isUnread={isUnread}
        href={everywhereHref({ states: ['firing'] })}
      >
        {alerts && <LastHour state="firing" alerts={alerts.firing} />}
      </Tile>
      <Tile
        name={states.pending}
        tone="pending"
        icon="clock"
        count={alerts?.pending.total}
        isUnread={isUnread}
        href={everywhereHref({ states: ['pending'] })}
      >
        {alerts && <LastHour state="pending" alerts={alerts.pending} />}
      </Tile>
      {others.length > 0 && (
        <Tile
          name={others.length === 1 ? stateName(others[0]![0]) : words.otherStates}
          tone="other"
          icon="other"
          count={others.reduce((sum, [, each]) => sum + each, 0)}
          href={everywhereHref({ states: others.map(([state]) => shortState(state)) })}
        >
          {others.length > 1 && <OtherStates states={others} />}
        </Tile>
      )}
      {suppressed > 0 && (
        <Tile
          name={states.suppressed}
          tone="suppressed"
          icon="muted"
          count={suppressed}
          href={everywhereHref({ states: ['suppressed'] })}
        >
          <span className="quiet">{words.suppressedHelp}</span>
        </Tile>
      )}
      <Tile
        name={words.noRules}
        tone="uncovered"
        icon="hollow"
        count={coverage?.uncovered}
        isUnread={areRulesUnread}
        href={viewHref(undefined, { filters: { covered: false } })}
      >
        {coverage && (
          <span className="quiet">
            {areRulesUnread
              ? words.rulesUnread
              : words.ofAlertable(
                  formatShare(coverage.uncovered, coverage.alertable),
                  count(coverage.alertable),
                )}
          </span>
        )}
      </Tile>
      <Tile name={words.stations} count={coverage?.stations} href="/stations">
        {coverage && (
          <span className="quiet">{words.resources(coverage.resources, count(coverage.resources))}</span>
        )}
      </Tile>
    </ul>
  );
}

interface TileProps {
  readonly name: string;
  readonly tone?: string;
  readonly icon?: IconName;
  /** Undefined while loading. */
  readonly count: number | undefined;
  /** Whether a part of it was never counted. */
  readonly isUnread?: boolean;
  readonly href: string;
  readonly children?: ReactNode;
}

function Tile({ name, tone, icon, count, isUnread = false, href, children }: TileProps) {
  const { language } = usePreferences();
  const isLit = tone !== undefined && count !== undefined && count > 0;
  return (
    <li className={isLit ? `now-tile lit tone-${tone}` : 'now-tile'}>
      <Link href={href}>
        <span className="now-tile-name">
          {icon && <Icon name={icon} />}
          {name}
        </span>{' '}
        {count === undefined ? (
          <span className="skeleton short" />
        ) : (
          <strong className="numeric">{isUnread && count === 0 ? '?' : formatCount(count, language)}</strong>
        )}
      </Link>
      {children}
    </li>
  );
}

const firstStates = 2;

/** The most frequent by name. */
function OtherStates({ states }: { readonly states: readonly [state: string, count: number][] }) {
  const { now: words } = useMessages();
  const { language } = usePreferences();
  const stateName = useStateName();
  const named = states.slice(0, firstStates).map(([state, count]) => (
    <Link key={state} className="now-tile-state" href={everywhereHref({ states: [shortState(state)] })}>
      {stateName(state)} {formatCount(count, language)}
    </Link>
  ));
  return (
    <span className="now-tile-states">
      {named}
      {states.length > firstStates && (
        <span>{words.more(formatCount(states.length - firstStates, language))}</span>
      )}
    </span>
  );
}

interface LastHourProps {
  readonly state: 'firing' | 'pending';
  readonly alerts: StateAlerts;
}

/** How many of them began in the last hour. */
function LastHour({ state, alerts }: LastHourProps) {
  const { now: words } = useMessages();
  const { language } = usePreferences();
  if (alerts.total === 0) return null;
  if (alerts.inLastHour === 0) return <span className="quiet">{words.noneInLastHour}</span>;
  return (
    <Link className="now-tile-more" href={everywhereHref({ states: [state], stateSinceAfter: 'now-1h' })}>
      {words.inLastHour(formatCount(alerts.inLastHour, language))}
    </Link>
  );
}
