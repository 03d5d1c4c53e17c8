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
import { groupDays, type Outcome, outcomes, type RevisionGroup } from './group-revisions.ts';

interface RevisionListProps {
  readonly address: StationAddress;
  readonly groups: readonly RevisionGroup[];
  /** Revisions that have more changes than are loaded. */
  readonly incomplete: ReadonlySet<string>;
  /** Whether what they lack is on its way. */
  readonly isReadingOn: boolean;
}

/** What happened, by day and revision, the newest first. */
export function RevisionList({ address, groups, incomplete, isReadingOn }: RevisionListProps) {
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
            missing={!incomplete.has(group.revision) ? 'nothing' : isReadingOn ? 'on its way' : 'left out'}
          />
        ))}
      </ol>
    </section>
  ));
}

/** A revision with more than these is shown by its totals alone, until it is opened. */
const mostUnasked = 100;
const firstChanges = 12;
const moreChanges = 200;

interface RevisionProps {
  readonly address: StationAddress;
  readonly group: RevisionGroup;
  readonly missing: 'nothing' | 'on its way' | 'left out';
}

function Revision({ address, group, missing }: RevisionProps) {
  const { past: words } = useMessages();
  const { language } = usePreferences();
  const { revision, changedAt, changedBy, changes, counts } = group;
  const isLarge = changes.length > mostUnasked;
  const [isOpen, setOpen] = useState(false);
  const isListed = !isLarge || isOpen;
  const atMs = Date.parse(changedAt);
  /** Of what is loaded, if there is more. */
  const count = (value: number) => `${formatCount(value, language)}${missing === 'nothing' ? '' : '+'}`;
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
        {isLarge && (
          <button
            type="button"
            className="text-button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? words.hide : words.show}
          </button>
        )}
        <span className="spring" />
        {outcomes.map((outcome) => {
          const value = counts[outcome];
          if (value === undefined) return null;
          return (
            <span key={outcome} className={`strong ${tones[outcome] ?? ''}`}>
              {words.outcomes[outcome](count(value))}
            </span>
          );
        })}
        <span className="quiet" aria-busy={missing === 'on its way'}>
          {words.count(changes.length, count(changes.length))}
          {missing === 'on its way' && ` · ${words.counting}`}
        </span>
        <code className="quiet" title={words.revision}>
          {revision}
        </code>
      </header>
      {missing === 'left out' && (
        <p className="quiet">{words.onlyFirst(formatCount(changes.length, language))}</p>
      )}
      {isListed && <ChangeLines address={address} changes={changes} count={count} />}
    </li>
  );
}

const tones: Readonly<Partial<Record<Outcome, string>>> = { firing: 'tone-firing', pending: 'tone-pending' };

interface ChangeLinesProps {
  readonly address: StationAddress;
  readonly changes: readonly PastChange[];
  readonly count: (value: number) => string;
}

function ChangeLines({ address, changes, count }: ChangeLinesProps) {
  const { past: words } = useMessages();
  const [shown, setShown] = useState(firstChanges);
  const hidden = changes.length - shown;
  return (
    <>
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
    </>
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
