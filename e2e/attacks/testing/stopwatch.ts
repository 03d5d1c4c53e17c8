import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Asked } from '../../testing/load.ts';

export interface Times {
  readonly count: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

const restMs = 5;

/** Sends one request after the other on one connection, with a little rest between them, and times the answers. */
export class Stopwatch {
  /** Of all answers so far. */
  readonly statuses = new Set<number | undefined>();
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #asked: Asked;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  async run(durationMs: number): Promise<Times> {
    const times: number[] = [];
    const until = performance.now() + durationMs;
    while (performance.now() < until) {
      const start = performance.now();
      this.statuses.add(await this.#ask());
      times.push(performance.now() - start);
      await delay(restMs);
    }
    times.sort((a, b) => a - b);
    return {
      count: times.length,
      medianMs: times[Math.floor(times.length / 2)]!,
      p99Ms: times[Math.floor(times.length * 0.99)]!,
    };
  }

  #ask(): Promise<number | undefined> {
    const { url, headers = {} } = this.#asked;
    return new Promise((resolve, reject) => {
      const request = http.get(url, { headers, agent: this.#agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      request.once('error', reject);
    });
  }
}
