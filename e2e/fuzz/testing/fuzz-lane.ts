import type { Answer } from '../../testing/answer-reader.ts';
import type { RawConnection } from '../../testing/raw-connection.ts';
import type { RunningServer } from '../../testing/start-server.ts';
import { type FuzzRequest, requestText } from './fuzz-request.ts';

/** Says what is wrong with an answer; undefined when nothing is. */
export type FindFault = (request: FuzzRequest, answer: Answer) => string | undefined;

/** Sends pipelines of requests over one connection, for as long as the server keeps it, and checks every answer. */
export class FuzzLane {
  readonly #server: RunningServer;
  readonly #findFault: FindFault;
  readonly #tally: Map<number, number>;
  #connection: RawConnection | undefined;

  /** Counts in `tally` how often each status was answered. */
  constructor(server: RunningServer, findFault: FindFault, tally: Map<number, number>) {
    this.#server = server;
    this.#findFault = findFault;
    this.#tally = tally;
  }

  readonly exchange = async (pipeline: readonly FuzzRequest[]): Promise<void> => {
    this.#connection ??= await this.#server.connect();
    try {
      this.#connection.send(Buffer.from(pipeline.map(requestText).join(''), 'latin1'));
      for (const request of pipeline) await this.#check(this.#connection, request, pipeline);
    } catch (error) {
      this.#drop();
      throw error;
    }
  };

  async #check(
    connection: RawConnection,
    request: FuzzRequest,
    pipeline: readonly FuzzRequest[],
  ): Promise<void> {
    const answer = await connection.answer(request.method);
    const fault = this.#findFault(request, answer);
    if (fault !== undefined) throw new Error(`${fault} to ${JSON.stringify(requestText(request))}`);
    this.#tally.set(answer.status, (this.#tally.get(answer.status) ?? 0) + 1);
    if (answer.headers.get('connection') !== 'close') return;
    if (request !== pipeline.at(-1)) throw new Error(`closed after ${JSON.stringify(requestText(request))}`);
    await connection.end();
    this.#drop();
  }

  #drop(): void {
    this.#connection?.destroy();
    this.#connection = undefined;
  }
}
