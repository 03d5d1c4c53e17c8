import type { StationAddress } from '@roster/client';
import { useSilentSources } from '../../api/sources.ts';
import { formatLocalAndUtc } from '../../format/clock.ts';
import { useMessages } from '../../messages/messages.ts';
import { Notice } from '../notice.tsx';

const maxShown = 3;

/** Says as of when the states of a station, or of all of them, are, while a source does not answer. */
export function SourceBanner({ address }: { readonly address?: StationAddress }) {
  const { sources: words } = useMessages();
  const silent = useSilentSources(address);
  if (silent.length === 0) return null;
  return (
    <div className="banner" data-states="stale">
      {silent.slice(0, maxShown).map(({ name, last_read }) => (
        <Notice key={name} tone="warning">
          {last_read === null ? words.neverRead(name) : words.asOf(formatLocalAndUtc(last_read), name)}
        </Notice>
      ))}
      {silent.length > maxShown && (
        <Notice tone="warning">{words.moreSilent(silent.length - maxShown)}</Notice>
      )}
    </div>
  );
}
