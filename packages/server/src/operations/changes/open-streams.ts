import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { stationKey } from '@roster/contract';
import type { Engine, Store } from '@roster/engine';
import { ChangeStream, type StreamParts, type StreamRequest } from './change-stream.ts';
import { StreamPages } from './stream-pages.ts';

/** All open change streams. */
export class OpenStreams {
  readonly #parts: StreamParts;
  readonly #open = new Set<ChangeStream>();
  #isClosed = false;

  /** `onDropped` is called when a client is too slow. */
  constructor(store: Store, engine: Engine, onDropped: () => void) {
    const signals = new EventEmitter().setMaxListeners(0);
    store.onHeadMoved((address) => signals.emit(stationKey(address)));
    this.#parts = { store, engine, signals, pages: new StreamPages(store), onDropped };
  }

  get count(): number {
    return this.#open.size;
  }

  /** Throws if the stream cannot start. `takeResponse` is called once it can, with a function that ends the stream. */
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

  /** Ends all streams: clients reconnect by themselves, to another node or after the restart. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }
}
