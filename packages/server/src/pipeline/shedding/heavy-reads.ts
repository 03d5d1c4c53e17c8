import { FairTurns, TimeSlicer } from '@roster/engine';
import { clientLeft } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Shares } from '../../quotas/shares.ts';
import { overloaded } from './load-shedder.ts';

/** Few enough that the next one soon gets an answer from the SQLite reader, or a connection to PostgreSQL. */
const questions = { atOnce: 4, atOncePerParty: 2 };

/** For one owner. Behind so many others, an answer would come too late. */
const maxOpen = 50;
/** Short enough that others wait less than 10 ms, for two slices and their own answer. */
const sliceMs = 2;

/** An expensive read, in short steps that take turns with those of other owners. */
export interface HeavyRead {
  /** Asks the store. Rejects if the client leaves before its turn. */
  ask<T>(question: () => Promise<T>): Promise<T>;
  /** Pause it before each slice, including the first. */
  readonly slicer: TimeSlicer;
  /** Also ends what it computes when the client leaves. */
  readonly endingSlicer: TimeSlicer;
}

/** Reads of history, whole stations and plans. An owner with many of them keeps only itself waiting. */
export class HeavyReads {
  readonly #questions = new FairTurns(questions);
  readonly #open = new Shares(Infinity);
  #nextOrder = 0;
  #refusedCount = 0;

  get openCount(): number {
    return this.#open.total;
  }

  get waitingCount(): number {
    return this.#questions.waiting;
  }

  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** Begins a read that ends with its answer. Throws `overloaded` if its owner has too many. */
  begin(exchange: Exchange): HeavyRead {
    if (exchange.isClosed) throw clientLeft();
    const { owner, response } = exchange;
    if (this.#open.of(owner) >= maxOpen) {
      this.#refusedCount++;
      throw overloaded();
    }
    this.#open.hold(owner);
    // A plan waits among the writes.
    exchange.isFair = exchange.isRead;
    const leaving = new AbortController();
    response.once('close', () => {
      this.#open.release(owner);
      if (!response.writableFinished) leaving.abort(clientLeft());
    });
    return this.#readOf(owner, leaving.signal);
  }

  /** The reads of a stream. It may stay open for any time, so it does not count. */
  follow(exchange: Exchange): HeavyRead {
    exchange.isFair = true;
    return this.#readOf(exchange.owner);
  }

  #readOf(party: string, signal?: AbortSignal): HeavyRead {
    // First in, first out, instead of all at the same time.
    const order = this.#nextOrder++;
    return {
      ask: (question) => this.#questions.run(party, question, { signal, order }),
      slicer: new TimeSlicer({ sliceMs, party }),
      endingSlicer: new TimeSlicer({ sliceMs, party, signal }),
    };
  }
}
