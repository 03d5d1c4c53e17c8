import type { ChangeView, FieldDifference } from '@roster/client';
import { useMessages } from '../messages/messages.ts';
import { Icon } from './icon.tsx';

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

/** The old and new value of each changed field. */
export function FieldDifferences({ fields }: { readonly fields: Readonly<Record<string, FieldDifference>> }) {
  return (
    <dl className="differences">
      {Object.entries(fields).map(([name, { before, after }]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <del>
              <bdi>{show(before)}</bdi>
            </del>
            <Icon name="arrow" />
            <ins>
              <bdi>{show(after)}</bdi>
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const show = (value: FieldDifference['before']) => (value === '' ? '""' : String(value));
