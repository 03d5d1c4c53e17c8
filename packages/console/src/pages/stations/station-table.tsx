import type { SearchFilters, Station, StationAddress } from '@roster/client';
import type { Doubt } from '../../api/doubts.ts';
import { useDoubts } from '../../api/sources.ts';
import { DoubtMark } from '../../components/live/doubt-mark.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount, formatShare } from '../../format/format.ts';
import { countOthers, shortState, stateTone } from '../../format/state.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { useLocation } from '../../navigation/location.ts';
import { stationHref } from '../../navigation/route.ts';
import { viewHref } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { readStationFilters, type StationFilterName, stationsHref } from './station-filters.ts';
import { nextStationOrder, type StationColumn, type StationOrder } from './station-order.ts';

const columns: readonly [column: StationColumn, word: StationWord, isNumber?: true][] = [
  ['name', 'station'],
  ['firing', 'firing', true],
  ['pending', 'pending', true],
  ['other', 'other', true],
  ['suppressed', 'suppressed', true],
  ['uncovered', 'uncovered', true],
  ['resources', 'resources', true],
  ['coverage', 'coverage'],
  ['subscription', 'subscription'],
  ['resource_group', 'resourceGroup'],
  ['zone', 'zone'],
];

type StationWord =
  | Exclude<StationFilterName, 'namePrefix'>
  | 'station'
  | 'resources'
  | 'firing'
  | 'pending'
  | 'other'
  | 'suppressed'
  | 'uncovered'
  | 'coverage';

interface StationTableProps {
  /** Undefined while loading. */
  readonly stations: readonly Station[] | undefined;
  readonly order: StationOrder | undefined;
}

/** Every column sorts. What is wrong stands before where it is. On a phone each row is a card. */
export function StationTable({ stations, order }: StationTableProps) {
  const hasOthers = stations?.some(({ resources }) => countOthers(resources.states) > 0) ?? false;
  const shown = columns.filter(([column]) => column !== 'other' || hasOthers);
  const doubts = useDoubts();
  return (
    <div className="scroll-x">
      <table
        className={`plain-table stations ${hasOthers ? 'has-others' : ''}`}
        // biome-ignore lint/a11y/noRedundantRoles: a table that is not laid out as one loses its roles.
        role="table"
        aria-busy={stations === undefined}
      >
        {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
        <thead role="rowgroup">
          {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
          <tr role="row">
            {shown.map(([column, word, isNumber]) => (
              <ColumnHead key={column} column={column} word={word} isNumber={isNumber} order={order} />
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above. */}
        <tbody role="rowgroup">
          {stations?.map((station) => (
            <StationRow
              key={station.station}
              station={station}
              hasOthers={hasOthers}
              doubt={doubts.get(station.station)}
            />
          )) ?? <SkeletonRows />}
        </tbody>
      </table>
    </div>
  );
}

interface ColumnHeadProps {
  readonly column: StationColumn;
  readonly word: StationWord;
  readonly isNumber: true | undefined;
  readonly order: StationOrder | undefined;
}

function ColumnHead({ column, word, isNumber, order }: ColumnHeadProps) {
  const { stations: words } = useMessages();
  const { search } = useLocation();
  const isSorted = order?.column === column;
  const sort = isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined;
  const next = nextStationOrder(order, column);
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above.
    <th role="columnheader" scope="col" className={isNumber && 'number'} aria-sort={sort}>
      <Link className="sort" href={stationsHref(readStationFilters(search), next)}>
        {words[word]}
        <span className="direction" aria-hidden="true">
          {(isSorted ? order : next).isDescending ? '↓' : '↑'}
        </span>
      </Link>
    </th>
  );
}

function SkeletonRows() {
  return [1, 2, 3].map((row) => (
    <tr key={row}>
      <td colSpan={columns.length}>
        <span className="skeleton" />
      </td>
    </tr>
  ));
}

interface StationRowProps {
  readonly station: Station;
  readonly hasOthers: boolean;
  readonly doubt: Doubt | undefined;
}

function StationRow({ station, hasOthers, doubt }: StationRowProps) {
  const { stations: words } = useMessages();
  const { language } = usePreferences();
  const { total, alertable, covered, uncovered, states } = station.resources;
  const others = Object.keys(states).filter((state) => stateTone(state) === 'other');
  const count = (value: number) => formatCount(value, language);
  const isUnread = doubt !== undefined && doubt.readAt === undefined;
  const isCoverageUnknown = doubt?.areRulesUnread === true && covered === 0;
  const address = {
    subscription: station.subscription_name,
    resourceGroup: station.resource_group_name,
    zone: station.zone,
    name: station.telemetry_station_name,
  };
  return (
    <tr>
      <td className="station-name">
        <Link className="strong" href={stationHref(address)}>
          <Text value={address.name} />
        </Link>{' '}
        <DoubtMark doubt={doubt} />
      </td>
      <Urgent address={address} tone="firing" value={states.ALERTSTATE_FIRING ?? 0} isUnread={isUnread} />
      <Urgent address={address} tone="pending" value={states.ALERTSTATE_PENDING ?? 0} isUnread={isUnread} />
      {hasOthers && (
        <Urgent
          address={address}
          tone="other"
          value={countOthers(states)}
          filters={{ states: others.map(shortState) }}
          isUnread={isUnread}
        />
      )}
      <Urgent
        address={address}
        tone="suppressed"
        value={states.ALERTSTATE_SUPPRESSED ?? 0}
        isUnread={isUnread}
      />
      <Urgent
        address={address}
        tone="uncovered"
        value={isCoverageUnknown ? 0 : uncovered}
        filters={{ covered: false }}
        isUnread={isCoverageUnknown}
      />
      <td className="number" data-label={words.resources}>
        <Link className="figure-link quiet-link" href={stationHref(address)}>
          {count(total)}
        </Link>
      </td>
      <td className="bar-cell" data-label={words.coverage}>
        <span className="bar-and-figure">
          <ShareBar
            isSlim
            shares={[
              { key: 'covered', count: covered, tone: 'covered' },
              { key: 'uncovered', count: uncovered, tone: isCoverageUnknown ? 'neutral' : 'uncovered' },
            ]}
            label={
              isCoverageUnknown ? words.coverageUnknown : words.coverageOf(count(covered), count(alertable))
            }
          />
          <span className="numeric">{isCoverageUnknown ? '–' : formatShare(covered, alertable)}</span>
        </span>
      </td>
      <FilterCell name="subscription" value={address.subscription} />
      <FilterCell name="resourceGroup" value={address.resourceGroup} />
      <FilterCell name="zone" value={address.zone} />
    </tr>
  );
}

/** Clicking it filters by this value. */
function FilterCell({ name, value }: { readonly name: StationFilterName; readonly value: string }) {
  const { stations: words } = useMessages();
  const { search } = useLocation();
  return (
    <td className="place" data-label={words[name as Exclude<StationFilterName, 'namePrefix'>]}>
      <Link className="quiet-link" href={stationsHref({ ...readStationFilters(search), [name]: value })}>
        <Text value={value} />
      </Link>
    </td>
  );
}

interface UrgentProps {
  readonly address: StationAddress;
  readonly tone: 'firing' | 'pending' | 'other' | 'suppressed' | 'uncovered';
  readonly value: number;
  /** Whether it was never counted. */
  readonly isUnread: boolean;
  /** Of what it counts; without, the state of that name. */
  readonly filters?: SearchFilters;
}

/** A number that leads to the resources it counts. */
function Urgent({ address, tone, value, isUnread, filters = { states: [tone] } }: UrgentProps) {
  const { stations: words } = useMessages();
  const { language } = usePreferences();
  const text = formatCount(value, language);
  if (value === 0)
    return (
      <td className="number quiet" data-label={words[tone]}>
        {isUnread ? '?' : text}
      </td>
    );
  return (
    <td className="number" data-label={words[tone]}>
      <Link
        className={`figure-link tone-${tone} strong`}
        href={viewHref(address, { filters })}
        aria-label={`${words[tone]}: ${text}`}
      >
        {text}
      </Link>
    </td>
  );
}
