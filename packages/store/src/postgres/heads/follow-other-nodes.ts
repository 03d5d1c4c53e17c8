import type { StationAddress } from '@roster/contract';
import type { ClientBase, ClientConfig } from 'pg';
import type { Announcements } from './announcements.ts';
import type { HeadQuestions } from './head-questions.ts';
import type { KnownStations } from './known-stations.ts';
import { NodeNotifications } from './node-notifications.ts';

/** Stations read within this time are followed. */
const followMs = 60_000;
/** How long a lost notification can go unnoticed. */
const pollEveryMs = 5_000;

export interface OtherNodesParts {
  readonly config: ClientConfig;
  readonly known: KnownStations;
  readonly questions: HeadQuestions;
  readonly announcements: Announcements;
  admit(client: ClientBase): Promise<void>;
}

/**
 * Catches up with writes of other nodes before anyone reads: on notifications, and by polling the stations read here.
 * Reads do not rely on it.
 */
export class OtherNodes {
  readonly #parts: OtherNodesParts;
  readonly #notifications: NodeNotifications;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: OtherNodesParts) {
    this.#parts = parts;
    const { config, known } = parts;
    this.#notifications = new NodeNotifications({
      config,
      admit: (client) => parts.admit(client),
      onNotified: (stationId) => {
        const station = known.byId(stationId);
        if (station) void this.#follow(station.address);
      },
      onGap: () => this.#poll(),
    });
    this.#timer = setInterval(() => this.#poll(), pollEveryMs);
    this.#timer.unref();
  }

  notify(stationId: number): void {
    this.#notifications.send(stationId);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#notifications.close();
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
      // A reader of the station asks again and waits for the answer.
    }
  }
}
