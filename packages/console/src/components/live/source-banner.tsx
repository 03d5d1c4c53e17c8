import type { StationAddress } from '@roster/client';
import { useSilentSources } from '../../api/sources.ts';
import { formatLocalAndUtc } from '../../format/clock.ts';
import { formatCount } from '../../format/format.ts';
import { stationName } from '../../format/station-name.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { usePreferences } from '../../preferences/preferences.ts';
import { Notice } from '../notice.tsx';
import { Text } from '../text.tsx';

const maxShown = 3;

/** Says as of when the states of a station, or of all of them, are, while a source does not answer. */
export function SourceBanner({ address }: { readonly address?: StationAddress }) {
  const { sources: words } = useMessages();
  const silent = useSilentSources(address);
  if (silent.length === 0) return null;
  return (
    <div className="banner" data-states="stale">
      {silent.slice(0, maxShown).map(({ name, kind, last_read, stations }) => (
        <Notice key={name} tone="warning">
          <p>
            <Link href="/sources">
              {last_read !== null
                ? words.asOf(formatLocalAndUtc(last_read), name)
                : kind === 'prometheus'
                  ? words.neverRead(name)
                  : words.neverReadAlerts(name)}
            </Link>{' '}
            {address === undefined && stations.length > 0 && <Concerned stations={stations} />}
          </p>
        </Notice>
      ))}
      {silent.length > maxShown && (
        <Notice tone="warning">
          <Link href="/sources">{words.moreSilent(silent.length - maxShown)}</Link>
        </Notice>
      )}
    </div>
  );
}

function Concerned({ stations }: { readonly stations: readonly string[] }) {
  const { sources: words } = useMessages();
  const { language } = usePreferences();
  const more = stations.length - maxShown;
  const names = stations.slice(0, maxShown).map(stationName).join(', ');
  return <Text value={words.concerns(names, more > 0 ? formatCount(more, language) : undefined)} />;
}
