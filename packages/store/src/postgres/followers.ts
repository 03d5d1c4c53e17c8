import type { StationAddress } from '@roster/contract';
import type { ClientBase, ClientConfig } from 'pg';
import type { Announcements } from './announcements.ts';
import type { HeadQuestions } from './head-questions.ts';
import { Hints } from './hints.ts';
import type { KnownStations } from './known-stations.ts';

/** Stations that were read within this time are followed. */
const followMs = 60_000;
/** How long a lost hint can go unnoticed. */
const pollEveryMs = 5_000;

export interface FollowersParts {
  readonly config: ClientConfig;
  readonly known: KnownStations;
  readonly questions: HeadQuestions;
  readonly announcements: Announcements;
  admit(client: ClientBase): Promise<void>;
}

/**
 * Lets this node catch up with what other nodes write before it is asked: by hints, and by asking from time
 * to time about the stations that are read here. Reads do not rely on it.
 */
export class Followers {
  readonly #parts: FollowersParts;
  readonly #hints: Hints;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: FollowersParts) {
    this.#parts = parts;
    const { config, known } = parts;
    this.#hints = new Hints({
      config,
      admit: (client) => parts.admit(client),
      onHint: (stationId) => {
        const station = known.byId(stationId);
        if (station) void this.#follow(station.address);
      },
      onGap: () => this.#poll(),
    });
    this.#timer = setInterval(() => this.#poll(), pollEveryMs);
    this.#timer.unref();
  }

  hint(stationId: number): void {
    this.#hints.send(stationId);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#hints.close();
  }

  #poll(): void {
    for (const address of this.#parts.known.askedSince(Date.now() - followMs)) void this.#follow(address);
  }

  async #follow(address: StationAddress): Promise<void> {
    const { questions, announcements } = this.#parts;
    try {
      const station = await questions.ask(address);
      await announcements.announceNews(address, station?.head);
    } catch {
      // Whoever reads the station asks again, and then waits for the answer.
    }
  }
}
