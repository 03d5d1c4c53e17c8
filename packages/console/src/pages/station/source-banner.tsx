import { type StationAddress, stationPath } from '@roster/client';
import { useSources } from '../../api/sources.ts';
import { Notice } from '../../components/notice.tsx';
import { formatTime } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';

/** Says as of when the states of a station are, while a source of it does not answer. */
export function SourceBanner({ address }: { readonly address: StationAddress }) {
  const { sources: words } = useMessages();
  const { data } = useSources();
  const path = stationPath(address).replace(/^\//, '');
  const down = data?.filter(({ health, stations }) => health === 'down' && stations.includes(path)) ?? [];
  if (down.length === 0) return null;
  return (
    <div className="banner">
      {down.map(({ name, last_read }) => (
        <Notice key={name} tone="warning">
          {last_read === null ? words.neverRead(name) : words.asOf(formatTime(last_read), name)}
        </Notice>
      ))}
    </div>
  );
}
