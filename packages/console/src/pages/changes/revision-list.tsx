import type { PastChange, StationAddress } from '@roster/client';
import { useState } from 'react';
import { ChangeMark, FieldDifferences, StateTurn } from '../../components/change.tsx';
import { Text } from '../../components/text.tsx';
import { formatBoth, formatClock, formatDay } from '../../format/clock.ts';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { resourceHref } from '../../navigation/route.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { groupDays, type RevisionGroup } from './group-revisions.ts';

interface RevisionListProps {
  readonly address: StationAddress;
  readonly groups: readonly RevisionGroup[];
  /** The revision that has more changes than are loaded. */
  readonly openRevision: string | undefined;
}

/** What happened, by day and revision, the newest first. */
export function RevisionList({ address, groups, openRevision }: RevisionListProps) {
  const { language } = usePreferences();
  return groupDays(groups).map(({ dayMs, groups: some }) => (
    <section key={dayMs} className="stack">
      <h2 className="day">{formatDay(dayMs, language)}</h2>
      <ol className="revisions">
        {some.map((group) => (
          <Revision
            key={group.revision}
            address={address}
            group={group}
            isOpenEnded={group.revision === openRevision}
          />
        ))}
      </ol>
    </section>
  ));
}

const firstChanges = 12;
const moreChanges = 200;

interface RevisionProps {
  readonly address: StationAddress;
  readonly group: RevisionGroup;
  readonly isOpenEnded: boolean;
}

function Revision({ address, group, isOpenEnded }: RevisionProps) {
  const { past: words } = useMessages();
  const { language } = usePreferences();
  const [shown, setShown] = useState(firstChanges);
  const { revision, changedAt, changedBy, changes, firing, resolved, suppressed } = group;
  const atMs = Date.parse(changedAt);
  const hidden = changes.length - shown;
  /** Of what is loaded, if there is more. */
  const count = (value: number) => `${formatCount(value, language)}${isOpenEnded ? '+' : ''}`;
  return (
    <li className="revision card">
      <header>
        <h3>
          <time className="numeric" dateTime={changedAt} title={formatBoth(atMs)}>
            {formatClock(atMs)}
          </time>{' '}
          {changedBy === undefined ? (
            <span className="quiet">{words.unknownWriter}</span>
          ) : (
            <Text value={changedBy} />
          )}
        </h3>
        <span className="spring" />
        {firing > 0 && <span className="tone-firing strong">{words.firing(count(firing))}</span>}
        {resolved > 0 && <span className="strong">{words.resolved(count(resolved))}</span>}
        {suppressed > 0 && <span className="strong">{words.suppressed(count(suppressed))}</span>}
        <span className="quiet">{words.count(changes.length, count(changes.length))}</span>
        <code className="quiet" title={words.revision}>
          {revision}
        </code>
      </header>
      <ul className="revision-changes">
        {changes.slice(0, shown).map((change, at) => (
          <Change key={`${change.resource_id} ${at}`} address={address} change={change} />
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className="button more" onClick={() => setShown(shown + moreChanges)}>
          {words.more(count(hidden))}
        </button>
      )}
    </li>
  );
}

interface ChangeProps {
  readonly address: StationAddress;
  readonly change: PastChange;
}

function Change({ address, change: past }: ChangeProps) {
  const { change, resource_id: id, resource, fields = {} } = past;
  const { state, ...others } = fields;
  const name = <Text value={resource.display_name || id} />;
  return (
    <li>
      <div className="change-line">
        {change === 'removed' ? name : <Link href={resourceHref(address, id)}>{name}</Link>}
        <Text className="quiet" value={resource.resource_type.label} />
        <span className="change-what">
          {change !== 'updated' && <ChangeMark change={change} />}
          <StateTurn change={past} />
        </span>
      </div>
      {Object.keys(others).length > 0 && <FieldDifferences fields={others} />}
    </li>
  );
}
