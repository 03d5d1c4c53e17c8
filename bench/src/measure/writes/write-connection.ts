import net from 'node:net';
import { rosterStationPath } from '../../servers/contender.ts';
import { renderChanges, type StateChange } from './state-changes.ts';

/**
 * One keep-alive connection that writes and waits for each acknowledgement. Bytes on a socket, because a full HTTP
 * client takes as much processor time as the server.
 */
export class WriteConnection {
  readonly #socket: net.Socket;
  readonly #head: string;
  #answer = '';
  #answered: PromiseWithResolvers<void> | undefined;

  private constructor(socket: net.Socket, head: string) {
    this.#socket = socket;
    this.#head = head;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#read(text));
    socket.on('close', () => this.#answered?.reject(new Error('the server closed the connection')));
    socket.on('error', (error) => this.#answered?.reject(error));
  }

  static async open(origin: string, station: string): Promise<WriteConnection> {
    const { hostname, port, host } = new URL(origin);
    const head =
      `PATCH ${rosterStationPath(station)}/resources HTTP/1.1\r\nHost: ${host}\r\n` +
      'Content-Type: application/x-ndjson\r\n';
    const socket = net.connect(Number(port), hostname);
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new WriteConnection(socket, head);
  }

  write(changes: readonly StateChange[]): Promise<void> {
    return this.send(renderChanges(changes));
  }

  async send(body: string): Promise<void> {
    this.#answer = '';
    this.#answered = Promise.withResolvers();
    this.#socket.write(`${this.#head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    await this.#answered.promise;
    if (!this.#answer.startsWith('HTTP/1.1 200')) throw new Error(`a write was answered ${this.#answer}`);
    if (!this.#answer.includes('"unchanged":0')) throw new Error(`not all was changed: ${this.#answer}`);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#answer += text;
    const end = this.#answer.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(this.#answer)?.[1] ?? 0);
    if (end !== -1 && this.#answer.length >= end + 4 + length) this.#answered?.resolve();
  }
}
