import { humanState, stateTone } from '../format/state.ts';
import { useMessages } from '../messages/messages.ts';
import { Icon, type IconName } from './icon.tsx';

const icons: Readonly<Record<ReturnType<typeof stateTone>, IconName>> = {
  firing: 'alert',
  pending: 'clock',
  inactive: 'check',
  other: 'other',
};

/** A state by colour, shape and word. */
export function StateMark({ state }: { readonly state: string }) {
  const name = useStateName();
  const tone = stateTone(state);
  return (
    <span className={`state-mark tone-${tone}`} title={state}>
      <Icon name={icons[tone]} />
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
