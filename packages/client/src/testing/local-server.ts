import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (
  request: ReceivedRequest,
  response: ServerResponse,
  /** Number of the request, from 1. */
  number: number,
) => void | Promise<void>;

export interface LocalServer {
  readonly url: string;
  readonly requests: ReceivedRequest[];
}

/** A server that behaves as a test needs; it stops after the test. */
export async function startLocalServer(answer: Answer): Promise<LocalServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const request = {
      method: message.method!,
      url: new URL(message.url!, 'http://localhost'),
      headers: message.headers,
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(request);
    await answer(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** A URL where nothing listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

export function sendText(response: ServerResponse, contentType: string, text: string): void {
  response.writeHead(200, { 'Content-Type': contentType });
  response.end(text);
}
