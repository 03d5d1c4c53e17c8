import type { StationClient } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { ChangeMark, FieldDifferences } from '../../../components/change.tsx';
import { ErrorNotice } from '../../../components/notice.tsx';
import { formatTime } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { isIn } from '../../list/live/revision-order.ts';

const mostShown = 1000;

interface ResourceChangesProps {
  readonly station: StationClient;
  readonly resourceId: string;
  /** Later changes are not shown, since the rest of the page does not show them either. */
  readonly revision: string;
}

/** The history of a resource, newest first. */
export function ResourceChanges({ station, resourceId, revision: snapshot }: ResourceChangesProps) {
  const { panel: words } = useMessages();
  const { language } = usePreferences();
  const { data, error } = useQuery({
    queryKey: ['changes', station.path, language, resourceId, snapshot],
    queryFn: ({ signal }) => station.manage.changes({ resourceId, size: mostShown }, { signal }),
  });
  if (error) return <ErrorNotice error={error} />;
  if (data === undefined) return <span className="skeleton" />;
  const shown = data.changes.filter(({ revision }) => isIn(revision, snapshot)).toReversed();
  return (
    <>
      {shown.length === 0 && <p className="quiet">{words.noChanges}</p>}
      {data.has_more && <p className="quiet">{words.oldestChanges(mostShown)}</p>}
      <ol className="changes">
        {shown.map(({ change, changed_at, revision, fields }) => (
          <li key={revision}>
            <header>
              <ChangeMark change={change} />
              <time dateTime={changed_at} title={changed_at} className="numeric">
                {formatTime(changed_at)} UTC
              </time>
              <code className="quiet">{revision}</code>
            </header>
            {fields && <FieldDifferences fields={fields} />}
          </li>
        ))}
      </ol>
    </>
  );
}
