import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a store and its server, and lets answers wait. */
export class SlowProxy implements AsyncDisposable {
  /** How long each answer is held back. */
  delayMs = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      const target = connect(targetPort, '127.0.0.1');
      client.on('data', (data) => target.write(data));
      target.on('data', (data) => setTimeout(() => client.write(data), this.delayMs));
      for (const [socket, other] of [
        [client, target],
        [target, client],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
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
