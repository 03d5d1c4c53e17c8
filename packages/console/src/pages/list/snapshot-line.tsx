import type { StationAddress } from '@roster/client';
import { Icon } from '../../components/icon.tsx';
import { LiveStatus, type LiveStatusProps } from '../../components/live/live-status.tsx';
import { useOldNumber } from '../../components/live/use-page-title.ts';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import type { Order } from '../../navigation/order-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import type { Following } from './live/use-following.ts';
import type { List } from './table/use-list.ts';

interface SnapshotLineProps {
  readonly address: StationAddress | undefined;
  readonly list: List;
  /** Undefined where it orders nothing. */
  readonly order: Order | undefined;
  readonly following: Pick<Following, 'feed' | 'pending' | 'hasChanged'>;
  readonly live: Pick<LiveStatusProps, 'asOfMs' | 'feed'>;
  /** Shows the newest, from the top. */
  readonly onShow: () => void;
}

/** Total, order, how current they are, and what has changed since. */
export function SnapshotLine({ address, list, order, following, live, onShow }: SnapshotLineProps) {
  const { station: words, fields } = useMessages();
  const { language } = usePreferences();
  const { pending, hasChanged, feed } = following;
  useOldNumber(hasChanged || feed === 'late');
  return (
    <div className="snapshot-line">
      <p>
        {list.total === undefined ? (
          <span className="skeleton short" />
        ) : (
          <strong className="numeric">{words.total(list.total, formatCount(list.total, language))}</strong>
        )}
        {order && <span className="quiet"> · {words.order(fields[order.field], order.isDescending)}</span>}
      </p>
      <div className="live">
        {list.hasMovedOn && <span className="quiet">{words.movedOn}</span>}
        <span role="status">
          {hasChanged && (
            <button type="button" className="button accent" onClick={onShow}>
              <Icon name="refresh" />
              <span>
                {pending.count === 0
                  ? words.changed
                  : words.changesInView(pending, (count) => formatCount(count, language))}
              </span>
            </button>
          )}
        </span>
        <LiveStatus {...live} address={address} />
      </div>
    </div>
  );
}
