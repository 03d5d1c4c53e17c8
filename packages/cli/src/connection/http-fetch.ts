import type { ClientRequest, IncomingMessage } from 'node:http';

// An import would read every export of node:http, one of which loads the built-in fetch.
const http = process.getBuiltinModule('node:http');
const { Readable } = process.getBuiltinModule('node:stream');

/**
 * The subset of `fetch` that the client needs, on `node:http`: loading the built-in one takes longer than a whole
 * list. It does not follow redirects, which could send the token elsewhere.
 */
export async function httpFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const { request } = url.startsWith('https:') ? process.getBuiltinModule('node:https') : http;
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers, signal, body } = init;
    const outgoing = request(url, {
      method,
      headers: headers as Record<string, string>,
      ...(signal ? { signal } : {}),
    });
    outgoing.on('error', reject);
    outgoing.once('response', (incoming) => {
      // A server may answer before it has read the whole body; then the rest is not sent.
      incoming.once('end', () => outgoing.writableEnded || outgoing.destroy());
      resolve(answerOf(incoming));
    });
    sendBody(outgoing, body);
  });
}

function sendBody(outgoing: ClientRequest, body: RequestInit['body']): void {
  if (body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.end(body ?? undefined);
    return;
  }
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  source.once('error', (error) => outgoing.destroy(error));
  outgoing.once('close', () => source.destroy());
  source.pipe(outgoing);
}

function answerOf(incoming: IncomingMessage): Response {
  const { statusCode = 0, statusMessage = '', headers } = incoming;
  const answer = {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    statusText: statusMessage,
    headers: { get: (name: string) => String(headers[name.toLowerCase()] ?? '') || null },
    get body() {
      return Readable.toWeb(incoming);
    },
    text: () => readText(incoming),
  };
  return answer as unknown as Response;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
