import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Answer = (url: URL, response: ServerResponse, request: IncomingMessage) => void;

export interface LocalServer {
  readonly url: string;
  /** What came, as `METHOD path?query`. */
  readonly requests: string[];
}

/** A server that behaves as a test needs it, gone after the test. */
export async function startLocalServer(answer: Answer): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(new URL(request.url!, 'http://localhost'), response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** A resource as a server sends it, of which a test says only what matters to it. */
export function resource(id: string, given: object = {}): Record<string, unknown> {
  return {
    resource_type: { key: 'resource_type.compute.vm', label: 'Virtual machine' },
    resource_id: id,
    create_time: '2026-01-31T08:00:00.000Z',
    sku: '1 core',
    state: 'ALERTSTATE_INACTIVE',
    display_name: `display ${id}`,
    alert_rules_count: 1,
    name: `name-${id}`,
    gpu_model: '',
    ...given,
  };
}
