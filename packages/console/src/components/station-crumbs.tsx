import type { StationAddress } from '@roster/client';
import { useMessages } from '../messages/messages.ts';
import { Link } from '../navigation/link.tsx';
import { stationHref } from '../navigation/route.ts';
import { Icon } from './icon.tsx';
import { Text } from './text.tsx';

interface StationCrumbsProps {
  readonly address: StationAddress;
  /** Whether the page is below the station, and the last crumb leads to it. */
  readonly isBelow?: boolean;
}

/** Where a page of a station is. */
export function StationCrumbs({ address, isBelow = false }: StationCrumbsProps) {
  const { nav } = useMessages();
  const { subscription, resourceGroup, zone, name } = address;
  return (
    <nav className="crumbs" aria-label={nav.crumbs}>
      <Link href="/stations">{nav.stations}</Link>
      {[subscription, resourceGroup, zone].map((each, at) => (
        <span key={at}>
          <Icon name="arrow" />
          <Text value={each} />
        </span>
      ))}
      {isBelow && (
        <span>
          <Icon name="arrow" />
          <Link href={stationHref(address)}>
            <Text value={name} />
          </Link>
        </span>
      )}
    </nav>
  );
}
