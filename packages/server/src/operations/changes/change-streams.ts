import type { ServerResponse } from 'node:http';
import type { Engine, Store } from '@roster/engine';
import { ChangeStream, type StreamParts, type StreamRequest } from './change-stream.ts';
import { HeadSignals } from './head-signals.ts';
import { StreamPages } from './stream-pages.ts';

/** All open streams of changes. */
export class ChangeStreams {
  readonly #parts: StreamParts;
  readonly #open = new Set<ChangeStream>();
  #isClosed = false;

  /** `onDropped` is called whenever a client was too slow. */
  constructor(store: Store, engine: Engine, onDropped: () => void) {
    const signals = new HeadSignals(store);
    this.#parts = { store, engine, signals, pages: new StreamPages(store), onDropped };
  }

  get count(): number {
    return this.#open.size;
  }

  /**
   * Throws what the client shall be told instead of a stream; `takeResponse` is called when there is none of that, and
   * is given what ends the stream.
   */
  async serve(
    request: StreamRequest,
    takeResponse: (end: (response: ServerResponse) => void) => ServerResponse,
  ): Promise<void> {
    const stream = new ChangeStream(request, this.#parts);
    const first = await stream.open();
    const response = takeResponse(({ writableNeedDrain }) => {
      stream.end();
      if (writableNeedDrain) response.destroy();
    });
    this.#open.add(stream);
    if (this.#isClosed) stream.end();
    await stream.run(response, first).finally(() => this.#open.delete(stream));
  }

  /** Ends all of them: clients come back by themselves, to another node or after the restart. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }
}
