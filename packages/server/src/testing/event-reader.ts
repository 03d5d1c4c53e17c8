export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: unknown;
}

/** Reads server-sent events one after the other from a real response. */
export class EventReader implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(response: Response) {
    this.#reader = response.body!.getReader();
  }

  /** Undefined at the end of the stream. */
  async next(): Promise<ServerSentEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return parseEvent(block);
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The next event of this kind; those before it are passed over. */
  async nextOf(event: string): Promise<ServerSentEvent> {
    for (;;) {
      const next = await this.next();
      if (next === undefined) throw new Error(`the stream ended before an event ${event}`);
      if (next.event === event) return next;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.cancel();
  }
}

function parseEvent(block: string): ServerSentEvent {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]*): ?(.*)$/s.exec(line) ?? [];
    fields.set(name, value);
  }
  return {
    id: fields.get('id'),
    event: fields.get('event'),
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}
