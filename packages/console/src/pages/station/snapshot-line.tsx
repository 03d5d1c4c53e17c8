import type { StationClient } from '@roster/client';
import { Icon } from '../../components/icon.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import type { ParsedView } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import type { List } from './table/use-list.ts';
import { useChangesSince } from './use-changes-since.ts';

interface SnapshotLineProps {
  readonly station: StationClient;
  readonly list: List;
  readonly view: Pick<ParsedView, 'filters' | 'order'>;
}

/** Total, order, and whether there are newer changes. */
export function SnapshotLine({ station, list, view: { filters, order } }: SnapshotLineProps) {
  const { station: words, fields } = useMessages();
  const { language } = usePreferences();
  const { count, hasChanged } = useChangesSince(station, { filters, revision: list.revision });
  return (
    <div className="snapshot-line">
      <p>
        {list.total === undefined ? (
          <span className="skeleton short" />
        ) : (
          <strong className="numeric">{words.total(list.total, formatCount(list.total, language))}</strong>
        )}
        <span className="quiet"> · {words.order(fields[order.field], order.isDescending)}</span>
      </p>
      <p role="status" className="live">
        {list.hasMovedOn && <span className="quiet">{words.movedOn}</span>}
        {hasChanged && (
          <button type="button" className="button accent" onClick={list.refresh}>
            <Icon name="refresh" />
            <span>{count > 0 ? words.changesSince(count, formatCount(count, language)) : words.changed}</span>
          </button>
        )}
        {!hasChanged && list.revision !== undefined && (
          <span className="quiet" title={list.revision}>
            <span className="live-dot" aria-hidden="true" /> {words.upToDate}
          </span>
        )}
        {!hasChanged && Object.keys(filters).length > 0 && (
          // The station may have moved on outside the view, until this snapshot is no longer available.
          <button
            type="button"
            className="button quiet-button"
            aria-label={words.refresh}
            title={words.refresh}
            onClick={list.refresh}
          >
            <Icon name="refresh" />
          </button>
        )}
      </p>
    </div>
  );
}
