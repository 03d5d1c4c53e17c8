import type { ServerResponse } from 'node:http';
import type { Engine, Store } from '@roster/engine';
import { ChangeStream, type StreamParts, type StreamRequest } from './change-stream.ts';
import { HeadSignals } from './head-signals.ts';
import { StreamPages } from './stream-pages.ts';

interface OpenStream {
  readonly stream: ChangeStream;
  readonly response: ServerResponse;
  readonly mayGoOn: () => boolean;
}

/** So often it is asked whether callers may hear more. */
const checkMs = 1_000;

/** All open streams of changes. */
export class ChangeStreams {
  readonly #parts: StreamParts;
  readonly #open = new Set<OpenStream>();
  readonly #timer = setInterval(() => this.#endUnwelcome(), checkMs).unref();
  #isClosed = false;

  /** `onDropped` is called whenever a client was too slow. */
  constructor(store: Store, engine: Engine, onDropped: () => void) {
    const signals = new HeadSignals(store);
    this.#parts = { store, engine, signals, pages: new StreamPages(store), onDropped };
  }

  get count(): number {
    return this.#open.size;
  }

  /** Throws what the client shall be told instead of a stream; `takeResponse` is called when there is none of that. */
  async serve(request: StreamRequest, takeResponse: () => ServerResponse): Promise<void> {
    const stream = new ChangeStream(request, this.#parts);
    const first = await stream.open();
    const response = takeResponse();
    const open = { stream, response, mayGoOn: request.mayGoOn };
    this.#open.add(open);
    if (this.#isClosed) stream.end();
    await stream.run(response, first).finally(() => this.#open.delete(open));
  }

  /** Ends those whose callers may not hear more. */
  #endUnwelcome(): void {
    for (const { stream, response, mayGoOn } of this.#open) {
      if (mayGoOn()) continue;
      stream.end();
      if (response.writableNeedDrain) response.destroy();
    }
  }

  /** Ends all of them: clients come back by themselves, to another node or after the restart. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { stream } of this.#open) stream.end();
  }
}
