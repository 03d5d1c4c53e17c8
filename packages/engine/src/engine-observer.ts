import type { RosterError, StationAddress } from '@roster/contract';

/** Receives engine events, for metrics and logs. */
export interface EngineObserver {
  /** How long a read waited for its station to reach the head. Not called for reads that did not wait. */
  readWaited(ms: number): void;
  /** A snapshot was built from the whole station, from a saved one, or from its predecessor. */
  snapshotBuilt(from: 'whole' | 'saved' | 'changes', ms: number): void;
  /** A station cannot be read because its data is damaged. Called once per revision. */
  stationDamaged(address: StationAddress, error: RosterError): void;
  /** A station was dropped from memory to make room. */
  stationEvicted(): void;
}

export const nobody: EngineObserver = {
  readWaited() {},
  snapshotBuilt() {},
  stationDamaged() {},
  stationEvicted() {},
};
