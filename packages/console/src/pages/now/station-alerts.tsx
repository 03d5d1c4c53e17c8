import type { FoundResource } from '@roster/client';
import { useDoubts } from '../../api/sources.ts';
import { useTypeLabel } from '../../api/use-type-label.ts';
import { Icon } from '../../components/icon.tsx';
import { Age } from '../../components/live/age.tsx';
import { DoubtMark } from '../../components/live/doubt-mark.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount } from '../../format/format.ts';
import { stateTone } from '../../format/state.ts';
import { addressOf } from '../../format/station-name.ts';
import { useMessages } from '../../messages/messages.ts';
import { changesHref } from '../../navigation/changes-search.ts';
import { Link } from '../../navigation/link.tsx';
import { stationHref } from '../../navigation/route.ts';
import { type View, viewHref } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import type { StationGroup, TypeGroup } from './group-alerts.ts';

/** The id of the link to the worst and longest. */
export const firstAlert = 'first-alert';

const bySince = { field: 'state_since', isDescending: false } as const;

interface StationAlertsProps {
  readonly group: StationGroup;
  /** Whether it holds the worst and longest of all stations. */
  readonly isFirst: boolean;
}

/** What fires and is pending in one station, by type. */
export function StationAlerts({ group, isFirst }: StationAlertsProps) {
  const { now: words, past } = useMessages();
  const doubts = useDoubts();
  const address = addressOf(group.station)!;
  const { subscription, resourceGroup, zone, name } = address;
  const hrefOf = (view: View) => viewHref(address, { order: bySince, ...view });
  return (
    <section className="alert-group" aria-label={name}>
      <header>
        <h2>
          <Link href={stationHref(address)}>
            <Text value={name} />
          </Link>
        </h2>
        <DoubtMark doubt={doubts.get(group.station)} />
        <Text className="quiet" value={`${subscription} / ${resourceGroup} / ${zone}`} />
        <span className="spring" />
        {group.since && (
          <span className="quiet">
            {words.longest} <Age time={group.since} />
          </span>
        )}
        <Link className="alert-changes" href={changesHref(address, { range: '1h' })}>
          {past.lastHour}
        </Link>
        <span className="alert-counts">
          <Count state="firing" count={group.firing} href={hrefOf({ filters: { states: ['firing'] } })} />
          <Count state="pending" count={group.pending} href={hrefOf({ filters: { states: ['pending'] } })} />
        </span>
      </header>
      <ul>
        {group.types.map((type, at) => (
          <TypeAlerts key={type.key} type={type} isFirst={isFirst && at === 0} hrefOf={hrefOf} />
        ))}
      </ul>
    </section>
  );
}

interface TypeAlertsProps {
  readonly type: TypeGroup;
  readonly isFirst: boolean;
  readonly hrefOf: (view: View) => string;
}

function TypeAlerts({ type, isFirst, hrefOf }: TypeAlertsProps) {
  const { now: words } = useMessages();
  const { language } = usePreferences();
  const typeLabel = useTypeLabel();
  const { key, firing, pending, first, areCounted } = type;
  const ofType = { resourceType: key };
  const hidden = firing + pending - first.length;
  const all = hrefOf({ filters: { ...ofType, states: ['firing', 'pending'] } });
  return (
    <li className="alert-type">
      <span className="alert-type-name">
        <Link href={all} title={key}>
          <Text value={type.label ?? typeLabel(key)} />
        </Link>
        {areCounted && (
          <span className="alert-counts">
            <Count
              isShort
              state="firing"
              count={firing}
              href={hrefOf({ filters: { ...ofType, states: ['firing'] } })}
            />
            <Count
              isShort
              state="pending"
              count={pending}
              href={hrefOf({ filters: { ...ofType, states: ['pending'] } })}
            />
          </span>
        )}
      </span>
      <ul className="alert-names">
        {first.map((resource, at) => (
          <Alert
            key={resource.resource_id}
            id={isFirst && at === 0 ? firstAlert : undefined}
            resource={resource}
            hrefOf={hrefOf}
          />
        ))}
        {first.length > 0 && (hidden > 0 || !areCounted) && (
          <li>
            <Link className="alert-more" href={all}>
              {areCounted ? words.more(formatCount(hidden, language)) : words.moreOfType}
            </Link>
          </li>
        )}
      </ul>
    </li>
  );
}

interface AlertProps {
  readonly id: string | undefined;
  readonly resource: FoundResource;
  readonly hrefOf: (view: View) => string;
}

function Alert({ id, resource, hrefOf }: AlertProps) {
  const { states } = useMessages();
  const { resource_id: openId, display_name, state, state_since, resource_type } = resource;
  const tone = stateTone(state) === 'firing' ? 'firing' : 'pending';
  const filters = { resourceType: resource_type.key, states: [tone] };
  return (
    <li>
      <Link id={id} className="alert-name" href={hrefOf({ filters, openId })}>
        <span className={`state-mark tone-${tone}`} title={states[tone]}>
          <Icon name={tone === 'firing' ? 'alert' : 'clock'} />
          <span className="visually-hidden">{states[tone]}</span>
        </span>{' '}
        <Text value={display_name} />{' '}
        <span className="quiet">
          <Age time={state_since} />
        </span>
      </Link>
    </li>
  );
}

interface CountProps {
  readonly state: 'firing' | 'pending';
  readonly count: number;
  readonly href: string;
  /** Whether the word is left to those who cannot see the icon. */
  readonly isShort?: boolean;
}

function Count({ state, count, href, isShort = false }: CountProps) {
  const { states } = useMessages();
  const { language } = usePreferences();
  if (count === 0) return null;
  return (
    <Link className={`alert-count tone-${state}`} href={href}>
      <Icon name={state === 'firing' ? 'alert' : 'clock'} />
      <span className="numeric">{formatCount(count, language)}</span>{' '}
      <span className={isShort ? 'visually-hidden' : undefined}>{states[state]}</span>
    </Link>
  );
}
