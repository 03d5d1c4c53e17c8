import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import type { Asked } from '../../testing/load.ts';

/**
 * Many clients that ask the same things over and over, each as soon as it is answered, or soon after it was refused. They
 * run in a thread of their own, so that what they read keeps nobody from measuring.
 */
export class Crowd {
  readonly #worker: Worker;

  constructor(asked: readonly Asked[], lanes: number) {
    const source = new URL('./crowd-thread.ts', import.meta.url);
    this.#worker = new Worker(source, { workerData: { asked, lanes } });
    onTestFinished(async () => void (await this.#worker.terminate()));
  }

  /** How many answers they got, by status, or by the code of the error where there was none. */
  async leave(): Promise<Record<string, number>> {
    const counted = once(this.#worker, 'message');
    this.#worker.postMessage('leave');
    const [counts] = await counted;
    return counts;
  }
}
