import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A real exporter whose metrics a test sets. */
export class Exporter {
  readonly address: string;
  readonly #values = new Map<string, number>();

  private constructor(address: string) {
    this.address = address;
  }

  static async start(): Promise<Exporter> {
    const server = http.createServer((_, response) => response.end(exporter.#render()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const exporter = new Exporter(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    return exporter;
  }

  /** `series` is a name with labels. */
  set(series: string, value: number): void {
    this.#values.set(series, value);
  }

  #render(): string {
    return [...this.#values].map(([series, value]) => `${series} ${value}\n`).join('');
  }
}
