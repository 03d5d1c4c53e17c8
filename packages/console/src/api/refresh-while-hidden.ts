import { queryClient } from './query-client.ts';

const pauseMs = 15_000;

/** Polls rest while the page is hidden. Its title does not: whoever works in another tab reads it there. */
export function refreshWhileHidden(): void {
  setInterval(() => {
    if (document.visibilityState !== 'hidden') return;
    void queryClient.refetchQueries({
      type: 'active',
      predicate: ({ observers }) => observers.some(({ options }) => options.refetchInterval !== undefined),
    });
  }, pauseMs);
}
