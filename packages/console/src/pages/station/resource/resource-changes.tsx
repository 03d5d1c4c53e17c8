import type { StationClient } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { ChangeMark, FieldDifferences } from '../../../components/change.tsx';
import { ErrorNotice } from '../../../components/notice.tsx';
import { Text } from '../../../components/text.tsx';
import { formatBoth, formatInFull } from '../../../format/clock.ts';
import { formatCount } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { byNewest, isIn } from '../../list/live/revision-order.ts';
import { changesQuery } from './changes-query.ts';

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
  const { data, error } = useQuery(changesQuery(station, { language, resourceId, revision: snapshot }));
  if (error) return <ErrorNotice error={error} />;
  if (data === undefined) return <span className="skeleton" />;
  const shown = data.changes
    .filter(({ revision }) => isIn(revision, snapshot))
    .toSorted((a, b) => byNewest(a.revision, b.revision));
  return (
    <>
      {shown.length === 0 && <p className="quiet">{words.noChanges}</p>}
      <ol className="changes">
        {shown.map(({ change, changed_at, changed_by, revision, fields }) => (
          <li key={revision}>
            <header>
              <ChangeMark change={change} />
              <time className="numeric" dateTime={changed_at} title={formatBoth(Date.parse(changed_at))}>
                {formatInFull(Date.parse(changed_at))}
              </time>
              {changed_by !== undefined && <Text value={changed_by} />}
              <code className="quiet">{revision}</code>
            </header>
            {fields && <FieldDifferences fields={fields} />}
          </li>
        ))}
      </ol>
      {data.earlier && <p className="quiet">{words.newestChanges(formatCount(shown.length, language))}</p>}
    </>
  );
}
