/** Hears what the engine does, for whoever counts it. */
export interface EngineObserver {
  /** A read waited so long until its station was at the head. One that did not have to wait is not told. */
  readWaited(ms: number): void;
  /** A snapshot was built, `whole` or from the changes since the one before. */
  snapshotBuilt(from: 'whole' | 'changes', ms: number): void;
  /** A station was dropped from memory to make room. */
  stationEvicted(): void;
}

export const nobody: EngineObserver = {
  readWaited() {},
  snapshotBuilt() {},
  stationEvicted() {},
};
