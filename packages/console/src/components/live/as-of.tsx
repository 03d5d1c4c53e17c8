import { createContext, type ReactNode } from 'react';
import { useConsoleSession } from '../../api/session.ts';
import type { LiveStatusProps } from './live-status.tsx';

/** As of when a part of the page is; undefined while it is current. */
export const HeldAtMs = createContext<number | undefined>(undefined);

interface AsOfProps extends Pick<LiveStatusProps, 'asOfMs' | 'feed'> {
  readonly children: ReactNode;
}

/** Where the status says “As of”, ages are as of then too. */
export function AsOf({ asOfMs, feed, children }: AsOfProps) {
  const { hasEnded } = useConsoleSession();
  const isHeld = hasEnded || feed === 'paused' || feed === 'late';
  return <HeldAtMs value={isHeld ? asOfMs : undefined}>{children}</HeldAtMs>;
}
