import http, { type IncomingHttpHeaders } from 'node:http';

export interface Asked {
  readonly method?: string;
  /** As it is sent: nothing is normalised. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One request over a connection of its own. Of a stream, only the beginning is read. */
export function ask(url: string, { method = 'GET', path, headers = {}, body }: Asked): Promise<Answered> {
  const { hostname, port } = new URL(url);
  const isJson = body !== undefined && typeof body !== 'string';
  const sent = isJson ? JSON.stringify(body) : body;
  const contentType = isJson ? { 'Content-Type': 'application/json' } : {};
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, method, path, agent: false, headers: { ...contentType, ...headers } },
      (response) => {
        const answered = { status: response.statusCode!, headers: response.headers };
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
        });
        response.on('close', () => resolve({ ...answered, body: text }));
      },
    );
    request.on('error', reject);
    request.end(sent);
  });
}

export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
