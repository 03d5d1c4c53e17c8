import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../../testing/seeded-random.ts';
import type { RunningServer } from '../../testing/start-server.ts';
import { Station } from '../../testing/station.ts';
import type { List } from '../../testing/station-answers.ts';
import type { Intent, LinearHistory, WriteOutcome } from './linear-history.ts';
import { writeOutcome } from './write-outcome.ts';

const sharedIds = Array.from({ length: 40 }, (_, at) => `shared-${at}`);

export interface ClientsParts {
  readonly history: LinearHistory;
  readonly path: string;
  readonly random: SeededRandom;
  /** Every request may go to another one. */
  chooseServer(): RunningServer;
}

export interface Writing {
  readonly writes?: number | undefined;
  /** Not where the database may lose what was to be removed. */
  readonly removes?: boolean | undefined;
}

/** Clients of one station that write, read and listen until the signal, and note all of it in the history. */
export class StationClients {
  readonly #parts: ClientsParts;
  readonly #signal: AbortSignal;

  constructor(parts: ClientsParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Overwrites what others overwrite too, and creates and removes what is its own. */
  async write(
    name: string,
    { writes = Number.POSITIVE_INFINITY, removes = true }: Writing = {},
  ): Promise<void> {
    const { random } = this.#parts;
    const own: string[] = [];
    for (let turn = 0; turn < writes && !this.#signal.aborted; turn++) {
      const marker = `${name}-${turn}`;
      const choice = random.next();
      if (choice < 0.15) {
        if (isAcknowledged(await this.#put([marker], marker))) own.push(marker);
      } else if (choice < 0.3 && removes && own.length > 0) await this.#remove(own.pop()!);
      else await this.#put(this.#someShared(), marker);
    }
  }

  async read(): Promise<void> {
    let known: { etag: string; revision: string } | undefined;
    while (!this.#signal.aborted) {
      const headers: Record<string, string> = known ? { 'If-None-Match': known.etag } : {};
      const noteRead = this.#parts.history.beginRead();
      try {
        const response = await this.#station().get('', headers);
        const revision = response.headers.get('roster-revision')!;
        if (response.status === 200) {
          noteRead(revision, (await response.json()) as List);
          known = { etag: response.headers.get('etag')!, revision };
        } else if (response.status === 304) noteRead(known!.revision);
        else await this.#noteFailure(response);
      } catch (error) {
        if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
      }
      await sleep(this.#parts.random.below(20));
    }
  }

  #put(ids: readonly string[], sku: string): Promise<WriteOutcome> {
    return this.#note(
      ids.map((id) => `put ${id} ${sku}`),
      (station) => station.write(ids.map((id) => ({ resource_id: id, sku }))),
    );
  }

  #remove(id: string): Promise<WriteOutcome> {
    return this.#note([`remove ${id}`], (station) => station.remove(id));
  }

  async #note(intent: Intent, send: (station: Station) => Promise<Response>): Promise<WriteOutcome> {
    const note = this.#parts.history.beginWrite(intent);
    const outcome = await writeOutcome(send(this.#station()));
    note(outcome);
    if (!isAcknowledged(outcome)) await sleep(20);
    return outcome;
  }

  #someShared(): string[] {
    const { random } = this.#parts;
    return [...new Set(Array.from({ length: 1 + random.below(8) }, () => random.pick(sharedIds)))];
  }

  #station(): Station {
    return new Station(this.#parts.chooseServer(), this.#parts.path);
  }

  async #noteFailure(response: Response): Promise<void> {
    const body = await response.text();
    if (response.status === 503) this.#parts.history.noteUnavailable();
    else this.#parts.history.violations.push(`a read got ${response.status}: ${body}`);
  }
}

function isAcknowledged(outcome: WriteOutcome): boolean {
  return typeof outcome === 'object';
}
