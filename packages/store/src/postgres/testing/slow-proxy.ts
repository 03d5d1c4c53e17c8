import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a store and its server, lets answers wait, and cuts connections in the middle. */
export class SlowProxy implements AsyncDisposable {
  /** How long each answer is held back. */
  delayMs = 0;
  /** A connection is cut once it has passed on a message with this text, whose answer then never arrives. */
  cutAfter: string | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      const target = connect(targetPort, '127.0.0.1');
      client.on('data', (data) => {
        const isLast = this.cutAfter !== undefined && data.includes(this.cutAfter);
        target.write(data, () => isLast && client.destroy());
      });
      target.on('data', (data) => setTimeout(() => client.write(data), this.delayMs));
      for (const [socket, other] of [
        [client, target],
        [target, client],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.end();
        });
      }
    });
  }

  static async start(targetPort: number): Promise<SlowProxy> {
    const proxy = new SlowProxy(targetPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }
}
