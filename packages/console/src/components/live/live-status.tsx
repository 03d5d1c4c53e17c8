import type { StationAddress } from '@roster/client';
import { useConnection } from '../../api/connection.ts';
import { useConsoleSession } from '../../api/session.ts';
import { useStatesAsOf } from '../../api/sources.ts';
import { formatBoth, formatClock, formatMinute } from '../../format/clock.ts';
import { useMessages } from '../../messages/messages.ts';
import { Icon } from '../icon.tsx';

export interface LiveStatusProps {
  /** When the page was last known to show what the server has; undefined before the first answer. */
  readonly asOfMs: number | undefined;
  /** `late` when news may be missing although the server answers, `paused` when the reader holds them back. */
  readonly feed: 'starting' | 'live' | 'paused' | 'late';
  /** Whose states the page shows; all stations without it. */
  readonly address?: StationAddress | undefined;
}

/** How current the page is. Only a page that follows the server says so. */
export function LiveStatus({ asOfMs, feed, address }: LiveStatusProps) {
  const { live: words } = useMessages();
  const { isReachable, lostAtMs } = useConnection();
  const { hasEnded } = useConsoleSession();
  const statesAsOf = useStatesAsOf(address);
  const isLost = !isReachable && lostAtMs !== undefined;
  if (isLost) {
    return (
      <p className="live-status lost" title={formatBoth(lostAtMs)}>
        <Icon name="alert" />
        <span role="status">{words.disconnected(formatMinute(lostAtMs))}</span>
      </p>
    );
  }
  const loading = <p className="live-status quiet">{words.loading}</p>;
  if (asOfMs === undefined) return loading;
  if (hasEnded) {
    return (
      <p className="live-status lost" title={formatBoth(asOfMs)}>
        <Icon name="alert" />
        <span role="status">
          {words.asOf} <span className="numeric">{formatMinute(asOfMs)}</span>
        </span>
      </p>
    );
  }
  if (statesAsOf === 'loading') return loading;
  if (statesAsOf !== 'now') {
    // Rows that are held back may be older still.
    const readMs = statesAsOf === 'unknown' ? undefined : Math.min(statesAsOf, asOfMs);
    return (
      <p className="live-status lost" title={readMs === undefined ? undefined : formatBoth(readMs)}>
        <Icon name="alert" />
        <span role="status">
          {readMs === undefined ? words.statesUnknown : words.statesAsOf(formatMinute(readMs))}
        </span>
      </p>
    );
  }
  const tone = feed === 'late' ? 'lost' : feed;
  return (
    <p className={`live-status ${tone}`} title={formatBoth(asOfMs)}>
      {feed === 'late' ? <Icon name="alert" /> : <span className="live-dot" aria-hidden="true" />}
      <span role="status">{feed === 'live' ? words.live : words.asOf}</span>
      {/* Read out only on request: it changes all the time. */}
      <span className="numeric">
        {feed === 'live' ? '· ' : ''}
        {formatClock(asOfMs)}
      </span>
    </p>
  );
}
