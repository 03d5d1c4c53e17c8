import { setTimeout } from 'node:timers/promises';
import { FairTurns } from './fair-turns.ts';

export interface TimeSlicerOptions {
  /** How long to compute before pausing, 4 by default. */
  readonly sliceMs?: number;
  /** How long to pause before waiting for the party's next turn; 0 by default. */
  readonly restMs?: number;
  /** On whose behalf it computes; the server itself by default. */
  readonly party?: string | undefined;
  /** Aborted when nobody waits for the result any more. */
  readonly signal?: AbortSignal | undefined;
}

/** One per tick of the event loop, so other work never waits for several. */
const slices = new FairTurns({ atOnce: 1, atOncePerParty: 1 });

/**
 * Interrupts a long computation: `if (slicer.isDue) await slicer.pause()`. Where there may be many, each also
 * pauses before it begins: then one slice runs per tick of the event loop, whichever party is next.
 */
export class TimeSlicer {
  readonly #sliceMs: number;
  readonly #restMs: number;
  readonly #party: string;
  readonly #signal: AbortSignal | undefined;
  #until: number;

  constructor({ sliceMs = 4, restMs = 0, party = '', signal }: TimeSlicerOptions = {}) {
    this.#signal = signal;
    this.#sliceMs = sliceMs;
    this.#restMs = restMs;
    this.#party = party;
    this.#until = performance.now() + sliceMs;
  }

  get isDue(): boolean {
    return performance.now() >= this.#until;
  }

  /** Throws if nobody waits any more. The next slice ends with the tick of the event loop or the next pause. */
  async pause(): Promise<void> {
    if (this.#restMs > 0) await setTimeout(this.#restMs);
    await slices.run(this.#party, nothing);
    this.#signal?.throwIfAborted();
    this.#until = performance.now() + this.#sliceMs;
  }
}

function nothing(): void {}
