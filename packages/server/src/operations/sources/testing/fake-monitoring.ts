import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface FakeAlert {
  readonly labels: Record<string, string>;
  readonly state?: 'firing' | 'pending';
  readonly activeAt?: string;
}

interface FakeRule {
  readonly name: string;
  readonly query: string;
  readonly alerts?: readonly FakeAlert[];
  readonly health?: string;
}

export const since = '2026-01-31T08:00:00.123456789Z';

/** A Prometheus and an Alertmanager at one address that answer what a test says. */
export class FakeMonitoring implements AsyncDisposable {
  readonly url: string;
  rules: readonly FakeRule[] = [];
  /** By selector. */
  series: Record<string, Record<string, string>[]> = {};
  /** As `/api/v2/alerts` has them. */
  managed: readonly object[] = [];
  silences: readonly object[] = [];
  startedAt = '2026-01-01T00:00:00Z';
  /** The labels of active targets. */
  targets: readonly Record<string, string>[] = [];
  /** Of every answer of Prometheus. */
  warnings: readonly unknown[] = [];
  /** While it is set, every answer is this status. */
  failure: number | undefined;
  /** While it is set, the answer with the targets breaks off. */
  breaksOff = false;
  /** How often each was asked. */
  readonly asked = { prometheus: 0, alertmanager: 0 };
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FakeMonitoring> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FakeMonitoring(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** One rule with an alert for each of the instances. */
  fire(...instances: string[]): void {
    const alerts = instances.map((instance) => ({ labels: { alertname: 'Down', instance } }));
    this.rules = [{ name: 'Down', query: 'up == 0', alerts }];
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    // What a source is asked for first.
    if (request.url === '/api/v1/rules') this.asked.prometheus++;
    if (request.url === '/api/v2/status') this.asked.alertmanager++;
    response.statusCode = this.failure ?? 200;
    response.setHeader('Content-Type', 'application/json');
    const text = JSON.stringify(this.#bodyFor(request.url!, body));
    if (!this.breaksOff || !request.url!.startsWith('/api/v1/targets')) response.end(text);
    else response.write(text.slice(0, -1), () => request.socket.destroy());
  }

  #bodyFor(url: string, body: string): unknown {
    switch (url) {
      case '/api/v1/rules':
        return {
          status: 'success',
          warnings: this.warnings,
          data: { groups: [{ file: 'f', name: 'g', rules: this.rules.map(viewRule) }] },
        };
      case '/api/v1/series': {
        const selectors = new URLSearchParams(body).getAll('match[]');
        return { status: 'success', data: selectors.flatMap((selector) => this.series[selector] ?? []) };
      }
      case '/api/v1/targets?state=active':
        return {
          status: 'success',
          warnings: this.warnings,
          data: { activeTargets: this.targets.map((labels) => ({ labels, health: 'down' })) },
        };
      case '/api/v2/status':
        return { uptime: this.startedAt };
      case '/api/v2/alerts':
        return this.managed;
      default:
        return this.silences;
    }
  }
}

function viewRule({ name, query, alerts = [], health = 'ok' }: FakeRule): object {
  const active = alerts.map((alert) => ({
    annotations: {},
    state: 'firing',
    activeAt: since,
    value: '1',
    ...alert,
  }));
  return { type: 'alerting', name, query, labels: {}, annotations: {}, health, alerts: active };
}
