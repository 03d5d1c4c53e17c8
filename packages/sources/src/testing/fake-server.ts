import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Endpoint } from '../config/source.ts';

/** An HTTP server that answers as a test says, on a free port. */
export async function fakeServer(answer: RequestListener): Promise<Endpoint> {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return endpointAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

export function endpointAt(url: string): Endpoint {
  return { url, timeoutMs: 1_000, auth: undefined, tls: undefined, allowLinkLocal: false };
}

export function sendJson(response: http.ServerResponse, body: unknown): void {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body));
}
