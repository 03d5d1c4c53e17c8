import type { EngineObserver } from '@roster/engine';

/** An observer that notes how each snapshot was built, in order. */
export function noteBuilds(built: string[]): EngineObserver {
  return {
    readWaited() {},
    stationEvicted() {},
    stationDamaged() {},
    snapshotBuilt: (from) => built.push(from),
  };
}
