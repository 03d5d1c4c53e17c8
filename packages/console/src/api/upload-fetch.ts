import type { Fetch } from '@roster/client';

export interface Sent {
  readonly bytes: number;
  readonly total: number;
}

/** A `fetch` that reports upload progress, which the built-in one does not. */
export function createUploadFetch(onSent: (sent: Sent) => void): Fetch {
  return (url, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'GET', url);
      request.responseType = 'arraybuffer';
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onSent({ bytes: loaded, total });
      request.onload = () => resolve(toResponse(request));
      request.onerror = () => reject(new TypeError('the connection failed'));
      request.onabort = () => reject(init.signal?.reason ?? new DOMException('aborted', 'AbortError'));
      init.signal?.addEventListener('abort', () => request.abort());
      request.send(init.body as XMLHttpRequestBodyInit);
    });
}

function toResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  const { status, statusText } = request;
  const body = status === 204 ? null : (request.response as ArrayBuffer);
  return new Response(body, { status, statusText, headers });
}
