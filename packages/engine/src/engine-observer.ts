/** Hears what the engine does, for whoever counts it. */
export interface EngineObserver {
  /** A read waited so long until its station was at the head. One that did not have to wait is not told. */
  readWaited(ms: number): void;
  /** A snapshot was built from the whole station, or on one that was saved, or on the one before. */
  snapshotBuilt(from: 'whole' | 'saved' | 'changes', ms: number): void;
  /** A station was dropped from memory to make room. */
  stationEvicted(): void;
}

export const nobody: EngineObserver = {
  readWaited() {},
  snapshotBuilt() {},
  stationEvicted() {},
};
