import type { Answer } from './answer-reader.ts';
import type { RawConnection } from './raw-connection.ts';
import type { RunningServer } from './start-server.ts';
import { type Format, mediaTypes, type Sending, type Station, writePath } from './station.ts';

/** A body on its way to a station over a connection of its own, in parts and without a length. */
export class Upload {
  readonly #connection: RawConnection;

  /** Resolves once the server has begun with the request. */
  static async begin(
    server: RunningServer,
    station: Station,
    { format = 'ndjson', query = '', headers = {} }: Sending & { readonly format?: Format } = {},
  ): Promise<Upload> {
    const connection = await server.connect();
    const lines = Object.entries({
      Host: 'localhost',
      'Content-Type': mediaTypes[format],
      'Transfer-Encoding': 'chunked',
      Expect: '100-continue',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    connection.send(`POST ${writePath(station.path)}${query} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const { status } = await connection.answer('POST');
    if (status !== 100) throw new Error(`the server answered ${status} before the body`);
    return new Upload(connection);
  }

  private constructor(connection: RawConnection) {
    this.#connection = connection;
  }

  /** Resolves to false when the server has ended the connection. */
  send(bytes: Buffer | string): Promise<boolean> {
    return this.#connection.sendPatiently(chunk(Buffer.from(bytes as string)));
  }

  async finish(): Promise<Answer> {
    this.#connection.send('0\r\n\r\n');
    return this.#connection.answer('POST');
  }

  breakOff(): void {
    this.#connection.destroy();
  }
}

export function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}
