import type { ChangeView, FieldDifference } from '@roster/client';
import { type Messages, useMessages } from '../messages/messages.ts';
import { Icon } from './icon.tsx';
import { StateMark } from './state-mark.tsx';

const icons = { created: 'plus', updated: 'refresh', removed: 'close' } as const;

export function ChangeMark({ change }: { readonly change: ChangeView['change'] }) {
  const { changes } = useMessages();
  return (
    <span className={`change-mark ${change}`}>
      <Icon name={icons[change]} />
      {changes[change]}
    </span>
  );
}

/** From which state into which, as far as there was one. */
export function StateTurn({ change: { change, resource, fields } }: { readonly change: ChangeView }) {
  if (change !== 'updated') return <StateMark state={resource.state} />;
  const turn = fields?.state;
  if (turn === undefined) return null;
  return (
    <span className="state-turn">
      <del>
        <StateMark state={String(turn.before)} />
      </del>
      <Icon name="arrow" />
      <ins>
        <StateMark state={String(turn.after)} />
      </ins>
    </span>
  );
}

/** The old and new value of each changed field. Only states have a colour, since only they are good or bad. */
export function FieldDifferences({ fields }: { readonly fields: Readonly<Record<string, FieldDifference>> }) {
  const messages = useMessages();
  return (
    <dl className="differences">
      {Object.entries(fields).map(([name, { before, after }]) => (
        <div key={name}>
          <dt>{fieldName(name, messages)}</dt>
          <dd>
            <del>
              <Value field={name} value={before} />
            </del>
            <Icon name="arrow" />
            <ins>
              <Value field={name} value={after} />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ValueProps {
  readonly field: string;
  readonly value: FieldDifference['before'];
}

function Value({ field, value }: ValueProps) {
  const { common } = useMessages();
  if (field === 'state' && typeof value === 'string') return <StateMark state={value} />;
  if (value === null || value === '') return <span className="quiet">{common.none}</span>;
  if (typeof value === 'boolean') return <bdi>{value ? common.yes : common.no}</bdi>;
  return <bdi>{String(value)}</bdi>;
}

/** A label is called by its key. */
function fieldName(field: string, { fields }: Messages) {
  const key = /^labels\.(.*)$/s.exec(field)?.[1];
  if (key !== undefined) return <code>{key}</code>;
  return field in fields ? fields[field as keyof typeof fields] : <code>{field}</code>;
}
