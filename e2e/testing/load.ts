import http, { type IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Outcome {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface Asked {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Record<string, string | number>;
  readonly body?: Buffer;
}

const stepMs = 20;
/** A server takes new connections one by one, and knows of no request before that. */
const maxSockets = 500;

/** Sends one request over and over, at a pace of its own or as fast as answers come. */
export class Load {
  readonly outcomes: Outcome[] = [];
  readonly errors: Error[] = [];
  readonly #asked: Asked;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets });

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  count(status: number): number {
    return this.outcomes.filter((outcome) => outcome.status === status).length;
  }

  /**
   * Sends so many requests a second, whether or not they are answered, and waits for the last answer. The rate is
   * told anew every second, from the number of answers of each status in the last one, and so is whether it is over.
   */
  async sendAtRate(
    rate: (answered: (status: number) => number) => number,
    isOver: (elapsedMs: number) => boolean,
  ): Promise<void> {
    const sent: Promise<void>[] = [];
    const begun = performance.now();
    for (let from = 0; !isOver(performance.now() - begun); ) {
      const recent = this.outcomes.slice(from);
      from = this.outcomes.length;
      const perSecond = rate((status) => recent.filter((outcome) => outcome.status === status).length);
      const start = performance.now();
      for (let due = 0, count = 0; performance.now() - start < 1000; await delay(stepMs)) {
        due = ((performance.now() - start) / 1000) * perSecond;
        for (; count < due; count++) sent.push(this.#ask());
      }
    }
    await Promise.all(sent);
    this.#agent.destroy();
  }

  /** Sends the next request when the last one is answered, in so many lanes; returns the answers in a second. */
  async sendInLanes(lanes: number, durationMs: number): Promise<number> {
    const start = performance.now();
    const lane = async () => {
      while (performance.now() - start < durationMs) await this.#ask();
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    this.#agent.destroy();
    return this.outcomes.length / ((performance.now() - start) / 1000);
  }

  #ask(): Promise<void> {
    const { url, body, ...options } = this.#asked;
    return new Promise((resolve) => {
      const failed = (error: Error) => {
        this.errors.push(error);
        resolve();
      };
      const request = http.request(url, { ...options, agent: this.#agent }, (response) => {
        response.resume().once('error', failed);
        response.once('end', () => {
          const { statusCode: status, headers } = response;
          this.outcomes.push({ status: status!, headers });
          resolve();
        });
      });
      request.once('error', failed).end(body);
    });
  }
}
