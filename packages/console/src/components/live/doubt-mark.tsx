import type { Doubt } from '../../api/doubts.ts';
import { formatLocalAndUtc } from '../../format/clock.ts';
import { useMessages } from '../../messages/messages.ts';
import { Icon } from '../icon.tsx';

/** Beside the name of a station whose states are in doubt. */
export function DoubtMark({ doubt }: { readonly doubt: Doubt | undefined }) {
  const { live: words } = useMessages();
  if (doubt === undefined) return null;
  const { readAt } = doubt;
  const text = readAt === undefined ? words.statesUnknown : words.statesAsOf(formatLocalAndUtc(readAt));
  return (
    <span className="state-mark tone-pending" title={text}>
      <Icon name="alert" />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
