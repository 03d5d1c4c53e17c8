import type { TrendHour } from '@roster/engine';
import { createSqliteStore } from '@roster/store';

const hourMs = 3_600_000;
const address = { subscription: 'e2e', resourceGroup: 'tests', zone: 'zone-1', name: 'station' };

/** What a station of 1000 resources had some hours ago; undefined where nothing is known. */
export interface PastHour {
  readonly firing?: number;
  readonly peak?: number;
  readonly pending?: number;
  readonly uncovered?: number;
}

/**
 * Puts a station into a new data directory, whose past is told by the hour: 0 is the current one. There is one more, in
 * case the hour ends meanwhile.
 */
export async function writePast(
  directory: string,
  hours: number,
  at: (hoursAgo: number) => PastHour | undefined,
): Promise<void> {
  const store = await createSqliteStore({ directory });
  await store.createStation(address);
  const now = Math.floor(Date.now() / hourMs);
  const past = Array.from({ length: hours + 1 }, (_, index) => hours - index - 1);
  await store.trends.add(
    address,
    past.flatMap((hoursAgo) => {
      const known = at(hoursAgo);
      return known === undefined ? [] : [toHour((now - hoursAgo) * hourMs, known)];
    }),
  );
  await store.close();
}

function toHour(
  startMs: number,
  { firing = 0, peak = firing, pending = 0, uncovered = 100 }: PastHour,
): TrendHour {
  const inactive = 1000 - firing - pending;
  const byState = { ALERTSTATE_FIRING: firing, ALERTSTATE_PENDING: pending, ALERTSTATE_INACTIVE: inactive };
  return {
    startMs,
    counts: { resources: 1000, alertable: 800, uncovered, byState },
    peaks: { ...byState, ALERTSTATE_FIRING: peak },
  };
}
