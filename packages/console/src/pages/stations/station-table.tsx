import type { SearchFilters, Station, StationAddress } from '@roster/client';
import { ShareBar } from '../../components/share-bar.tsx';
import { useStateName } from '../../components/state-mark.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount, formatShare } from '../../format/format.ts';
import { sortedStates, stateTone } from '../../format/state.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { useLocation } from '../../navigation/location.ts';
import { stationHref } from '../../navigation/route.ts';
import { viewHref } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { readStationFilters, type StationFilterName, stationsHref } from './station-filters.ts';

/** Undefined while loading. */
export function StationTable({ stations }: { readonly stations: readonly Station[] | undefined }) {
  const { stations: words } = useMessages();
  return (
    <div className="scroll-x">
      <table className="plain-table" aria-busy={stations === undefined}>
        <thead>
          <tr>
            <th>{words.station}</th>
            <th>{words.subscription}</th>
            <th>{words.resourceGroup}</th>
            <th>{words.zone}</th>
            <th className="number">{words.resources}</th>
            <th className="number">{words.firing}</th>
            <th className="number">{words.pending}</th>
            <th>{words.states}</th>
            <th className="number">{words.uncovered}</th>
            <th>{words.coverage}</th>
          </tr>
        </thead>
        <tbody>
          {stations?.map((station) => <StationRow key={station.station} station={station} />) ?? (
            <SkeletonRows />
          )}
        </tbody>
      </table>
    </div>
  );
}

function SkeletonRows() {
  return [1, 2, 3].map((row) => (
    <tr key={row}>
      <td colSpan={10}>
        <span className="skeleton" />
      </td>
    </tr>
  ));
}

function StationRow({ station }: { readonly station: Station }) {
  const { stations: words } = useMessages();
  const { language } = usePreferences();
  const stateName = useStateName();
  const { total, alertable, covered, uncovered, states } = station.resources;
  const count = (value: number) => formatCount(value, language);
  const sorted = sortedStates(states);
  const address = {
    subscription: station.subscription_name,
    resourceGroup: station.resource_group_name,
    zone: station.zone,
    name: station.telemetry_station_name,
  };
  return (
    <tr>
      <td>
        <Link className="strong" href={stationHref(address)}>
          <Text value={address.name} />
        </Link>
      </td>
      <FilterCell name="subscription" value={address.subscription} />
      <FilterCell name="resourceGroup" value={address.resourceGroup} />
      <FilterCell name="zone" value={address.zone} />
      <td className="number">{count(total)}</td>
      <Urgent address={address} tone="firing" value={states.ALERTSTATE_FIRING ?? 0} />
      <Urgent address={address} tone="pending" value={states.ALERTSTATE_PENDING ?? 0} />
      <td className="bar-cell">
        <ShareBar
          isSlim
          shares={sorted.map(([key, value]) => ({ key, count: value, tone: stateTone(key) }))}
          label={
            sorted.map(([state, value]) => `${stateName(state)}: ${count(value)}`).join(', ') || words.empty
          }
        />
      </td>
      <Urgent address={address} tone="uncovered" value={uncovered} />
      <td className="bar-cell">
        <span className="bar-and-figure">
          <ShareBar
            isSlim
            shares={[
              { key: 'covered', count: covered, tone: 'covered' },
              { key: 'uncovered', count: uncovered, tone: 'uncovered' },
            ]}
            label={words.coverageOf(count(covered), count(alertable))}
          />
          <span className="numeric">{formatShare(covered, alertable)}</span>
        </span>
      </td>
    </tr>
  );
}

/** Clicking it filters by this value. */
function FilterCell({ name, value }: { readonly name: StationFilterName; readonly value: string }) {
  const { search } = useLocation();
  return (
    <td>
      <Link className="quiet-link" href={stationsHref({ ...readStationFilters(search), [name]: value })}>
        <Text value={value} />
      </Link>
    </td>
  );
}

const urgentFilters = {
  firing: { states: ['firing'] },
  pending: { states: ['pending'] },
  uncovered: { covered: false },
} as const satisfies Record<string, SearchFilters>;

interface UrgentProps {
  readonly address: StationAddress;
  readonly tone: keyof typeof urgentFilters;
  readonly value: number;
}

/** A number that leads to the resources it counts. */
function Urgent({ address, tone, value }: UrgentProps) {
  const { stations: words } = useMessages();
  const { language } = usePreferences();
  const text = formatCount(value, language);
  if (value === 0) return <td className="number quiet">{text}</td>;
  return (
    <td className="number">
      <Link
        className={`figure-link tone-${tone} strong`}
        href={viewHref(address, { filters: urgentFilters[tone] })}
        aria-label={`${words[tone]}: ${text}`}
      >
        {text}
      </Link>
    </td>
  );
}
