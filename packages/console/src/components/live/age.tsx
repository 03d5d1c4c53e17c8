import { useSyncExternalStore } from 'react';
import { ageOf } from '../../format/age.ts';
import { formatBoth } from '../../format/clock.ts';
import { useMessages } from '../../messages/messages.ts';

/** How long ago a time was, kept current, with the time itself on hover. */
export function Age({ time }: { readonly time: string }) {
  const { ages } = useMessages();
  const age = ageOf(time, useNow());
  return (
    <time className="text numeric" dateTime={time} title={formatBoth(Date.parse(time))}>
      {age.unit === 'now' ? ages.now : ages[age.unit](age.count)}
    </time>
  );
}

const stepMs = 30_000;
let now = Date.now();

/** One time for the whole page, so that rows agree with each other. */
function useNow(): number {
  return useSyncExternalStore(tick, () => now);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, stepMs);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}
