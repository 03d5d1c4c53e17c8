import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Connection {
  readonly client: Socket;
  readonly target: Socket;
  /** Carries nothing any more, and neither end hears of the other. */
  isSilent: boolean;
}

/** Stands between stores and their server, and does to the connections what networks do. */
export class FaultProxy implements AsyncDisposable {
  /** Where new connections go. */
  targetPort: number;
  /** How long each answer is held back. */
  delayMs = 0;
  /** A connection is cut once it has passed on a message with this text, whose answer then never arrives. */
  cutAfter: string | undefined;
  /** Is given what clients send. */
  onSent: (data: Buffer) => void = () => undefined;
  /** New connections are closed at once. */
  isRefusing = false;
  /** New connections are silent from the beginning. */
  isSilent = false;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();

  private constructor(targetPort: number) {
    this.targetPort = targetPort;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(targetPort: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(targetPort);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** The URL of a database, by way of this proxy. */
  url(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.port = String(this.port);
    return url.href;
  }

  /** Ends connections, all or those that `isChosen` says. Both ends hear of it. */
  cut(isChosen: () => boolean = () => true): number {
    const chosen = [...this.#connections].filter(() => isChosen());
    for (const { client, target } of chosen) {
      client.destroy();
      target.destroy();
    }
    return chosen.length;
  }

  /** Makes the connections there are half-open: each end believes that it still has the other. */
  silence(): void {
    for (const connection of this.#connections) connection.isSilent = true;
  }

  /** Takes all faults back. What was silent is cut. */
  heal(): void {
    this.delayMs = 0;
    this.isRefusing = false;
    this.isSilent = false;
    for (const { isSilent, client, target } of this.#connections) {
      if (!isSilent) continue;
      client.destroy();
      target.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    client.on('error', () => undefined);
    if (this.isRefusing) {
      client.destroy();
      return;
    }
    const target = connect(this.targetPort, '127.0.0.1');
    const connection: Connection = { client, target, isSilent: this.isSilent };
    this.#connections.add(connection);
    client.on('data', (data: Buffer) => {
      if (connection.isSilent) return;
      this.onSent(data);
      const isLast = this.cutAfter !== undefined && data.includes(this.cutAfter);
      target.write(data, () => isLast && client.destroy());
    });
    this.#passAnswers(connection);
    this.#passEnds(connection);
  }

  /** In their order, also when the delay changes in between. */
  #passAnswers(connection: Connection): void {
    const { client, target } = connection;
    let passed = Promise.resolve();
    target.on('data', (data) => {
      const due = performance.now() + this.delayMs;
      const isWaiting = this.delayMs > 0;
      passed = passed.then(async () => {
        if (isWaiting) await sleep(Math.max(0, due - performance.now()));
        if (!connection.isSilent) client.write(data);
      });
    });
  }

  #passEnds(connection: Connection): void {
    const { client, target } = connection;
    const forget = () => {
      if (client.destroyed && target.destroyed) this.#connections.delete(connection);
    };
    client.on('close', () => {
      if (!connection.isSilent) target.end();
      forget();
    });
    target.on('error', () => undefined);
    target.on('close', () => {
      if (!connection.isSilent) client.end();
      forget();
    });
  }
}
