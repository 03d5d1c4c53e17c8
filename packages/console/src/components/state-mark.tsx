import type { RecordView } from '@roster/client';
import { use } from 'react';
import { humanState, type StateTone, stateTone } from '../format/state.ts';
import { useMessages } from '../messages/messages.ts';
import { Icon, type IconName } from './icon.tsx';
import { RulesUnread } from './live/rules-unread.ts';

const icons: Readonly<Record<StateTone, IconName>> = {
  firing: 'alert',
  pending: 'clock',
  other: 'other',
  suppressed: 'muted',
  inactive: 'check',
};

/** A state by colour, shape and word. Inactive is neutral: without its resource nobody knows whether rules watch it. */
export function StateMark({ state }: { readonly state: string }) {
  const name = useStateName();
  const tone = stateTone(state);
  return (
    <span className={`state-mark tone-${tone === 'inactive' ? 'neutral' : tone}`} title={state}>
      {tone !== 'inactive' && <Icon name={icons[tone]} />}
      <bdi className="text">{name(state)}</bdi>
    </span>
  );
}

type Watched = Pick<RecordView, 'state' | 'alertable' | 'alert_rules_count'>;

/** The state of a resource. It is calm only where alert rules watch it. */
export function ResourceState({ resource }: { readonly resource: Watched }) {
  const { coverage: words, stations } = useMessages();
  const areRulesUnread = use(RulesUnread);
  const name = useStateName();
  const { state, alertable, alert_rules_count: rules } = resource;
  if (stateTone(state) !== 'inactive') return <StateMark state={state} />;
  if (!alertable) {
    return (
      <span className="state-mark quiet" title={words.cannotAlert}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{words.cannotAlert}</span>
      </span>
    );
  }
  if (rules === 0 && areRulesUnread) {
    return (
      <span className="state-mark tone-neutral" title={stations.coverageUnknown}>
        <span className="text">{words.rulesUnknown}</span>
      </span>
    );
  }
  if (rules === 0) {
    return (
      <span className="state-mark tone-uncovered" title={words.noRulesHelp}>
        <Icon name="hollow" />
        <span className="text">{words.noRules}</span>
      </span>
    );
  }
  return (
    <span className="state-mark tone-inactive" title={state}>
      <Icon name="check" />
      <bdi className="text">{name(state)}</bdi>
    </span>
  );
}

/** Translates known states, and formats the token of others. */
export function useStateName(): (state: string) => string {
  const { states } = useMessages();
  return (state) => {
    const tone = stateTone(state);
    return tone === 'other' ? humanState(state) : states[tone];
  };
}
