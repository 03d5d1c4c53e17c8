import { once } from 'node:events';
import net from 'node:net';
import { type Answer, AnswerReader } from './answer-reader.ts';

const answerTimeoutMs = 20_000;

/** A plain TCP connection to the server: sends any bytes, reads answers one after the other. */
export class RawConnection {
  readonly #socket: net.Socket;
  readonly #reader = new AnswerReader();
  #wake: () => void = () => undefined;
  #ended = false;
  #error: Error | undefined;

  static async open(host: string, port: number): Promise<RawConnection> {
    const socket = net.connect(port, host);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk);
      this.#wake();
    });
    socket.on('drain', () => this.#wake());
    socket.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
    socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
    socket.on('error', (error) => {
      this.#error = error;
    });
  }

  /** Whether the server has ended the connection. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  send(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  /** Sends and waits while the server reads slower than this writes; false when the connection has ended. */
  async sendPatiently(bytes: Buffer | string): Promise<boolean> {
    if (this.#ended || this.#error) return false;
    if (!this.#socket.write(bytes)) {
      while (this.#socket.writableNeedDrain && !this.#socket.destroyed) await this.#more(1_000);
    }
    return !this.#ended && this.#error === undefined;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Goes without a farewell. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** The next answer, to a request of this method. Throws when the connection ends without one. */
  async answer(method = 'GET', timeoutMs = answerTimeoutMs): Promise<Answer> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const answer = this.#reader.take(method);
      if (answer !== undefined) return answer;
      if (this.#ended) throw new Error(`the connection ended without an answer: ${this.#reason()}`);
      if (performance.now() > deadline)
        throw new Error(`no answer within ${timeoutMs} ms: ${this.#reason()}`);
      await this.#more(deadline - performance.now());
    }
  }

  /** Resolves once the server has ended the connection. */
  async end(timeoutMs = answerTimeoutMs): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!this.#ended) {
      if (performance.now() > deadline) throw new Error(`the connection is still open after ${timeoutMs} ms`);
      await this.#more(deadline - performance.now());
    }
  }

  #more(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, timeoutMs));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #reason(): string {
    return this.#error?.message ?? `${this.#reader.pendingBytes} bytes of an answer were read`;
  }
}
