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

  constructor(store: Store, engine: Engine) {
    this.#parts = { store, engine, signals: new HeadSignals(store), pages: new StreamPages(store) };
  }

  /** Throws what the client shall be told instead of a stream; `takeResponse` is called when there is none of that. */
  async serve(request: StreamRequest, takeResponse: () => ServerResponse): Promise<void> {
    const stream = new ChangeStream(request, this.#parts);
    const first = await stream.open();
    this.#open.add(stream);
    if (this.#isClosed) stream.end();
    await stream.run(takeResponse(), first).finally(() => this.#open.delete(stream));
  }

  /** Ends all of them: clients come back by themselves, to another node or after the restart. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }
}
