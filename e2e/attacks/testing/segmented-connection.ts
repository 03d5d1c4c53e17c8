import { once } from 'node:events';
import net from 'node:net';
import { Duplex } from 'node:stream';
import tls from 'node:tls';

/**
 * A connection whose packets are laid out by hand. Over TLS each `record` becomes one TLS record; `flush` sends all
 * records so far to the kernel in one piece.
 */
export class SegmentedConnection {
  readonly socket: net.Socket;
  readonly #tcp: net.Socket;
  readonly #held: Buffer[];

  static async open(address: URL): Promise<SegmentedConnection> {
    const tcp = net.connect(Number(address.port), address.hostname);
    tcp.setNoDelay(true);
    tcp.on('error', () => undefined);
    await once(tcp, 'connect');
    if (address.protocol === 'http:') return new SegmentedConnection(tcp, tcp, []);
    const held: Buffer[] = [];
    const gate = { isOpen: true };
    const outlet = holdingBack(tcp, held, gate);
    const socket = tls.connect({ socket: outlet, rejectUnauthorized: false });
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    gate.isOpen = false;
    return new SegmentedConnection(socket, tcp, held);
  }

  private constructor(socket: net.Socket, tcp: net.Socket, held: Buffer[]) {
    this.socket = socket;
    this.#tcp = tcp;
    this.#held = held;
  }

  async record(bytes: string | Buffer): Promise<void> {
    if (this.socket === this.#tcp) this.#held.push(Buffer.from(bytes as string, 'latin1'));
    else await new Promise<void>((resolve) => this.socket.write(bytes, 'latin1', () => resolve()));
  }

  /** Resolves once the kernel has taken it, which it does not while the server does not read. */
  flush(): Promise<void> {
    const bytes = Buffer.concat(this.#held.splice(0));
    return new Promise((resolve) => this.#tcp.write(bytes, () => resolve()));
  }

  destroy(): void {
    this.socket.destroy();
    this.#tcp.destroy();
  }
}

/** What is written goes to `held` instead of the connection unless the gate is open. */
function holdingBack(tcp: net.Socket, held: Buffer[], gate: { isOpen: boolean }): Duplex {
  const outlet = new Duplex({
    read: () => void tcp.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (gate.isOpen) tcp.write(chunk);
      else held.push(Buffer.from(chunk));
      done();
    },
    final(done) {
      tcp.end();
      done();
    },
    destroy(error, done) {
      tcp.destroy();
      done(error);
    },
  });
  tcp.on('data', (chunk) => {
    if (!outlet.push(chunk)) tcp.pause();
  });
  tcp.on('end', () => outlet.push(null));
  tcp.on('close', () => outlet.destroy());
  return outlet;
}
