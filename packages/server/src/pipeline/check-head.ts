import type { IncomingMessage } from 'node:http';
import { RosterError } from '@roster/contract';

/** The HTTP parser ends the connection beyond this. */
export const maxHeadBytes = 1 << 20;
const maxUrlLength = 64 * 1024;
const maxHeaderBytes = 32 * 1024;

/** Throws if the URL or the headers are too large, or if there is not exactly one Host. HTTP/1.0 may omit it. */
export function checkHead({ url, rawHeaders, httpVersionMinor }: IncomingMessage): void {
  if (url!.length > maxUrlLength) throw uriTooLong();
  let bytes = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    bytes += name.length + rawHeaders[at + 1]!.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (bytes > maxHeaderBytes) throw headersTooLarge();
  if (hosts === 0 && httpVersionMinor === 1) throw wrongHost('a request must have a Host header');
  if (hosts > 1) throw wrongHost(`a request must have one Host header, this one has ${hosts}`);
}

/** Takes the scheme and the host out of the URL. Clients may send them, as they do to a proxy; then `Host` does not count. */
export function useOriginForm(request: IncomingMessage): void {
  const target = request.url!;
  // Something on the way could cut off what follows a raw #, and another resource would be meant.
  if (target.includes('#')) throw new RosterError('malformed_request', 'a # in a URL must be sent as %23');
  if (target.startsWith('/')) return;
  const [prefix = '', host] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  const path = target.slice(prefix.length);
  request.url = path.startsWith('?') ? `/${path}` : path || '/';
  if (host !== undefined) request.headers.host = host;
}

export function uriTooLong(): RosterError {
  const detail = `a URL may have at most ${maxUrlLength} characters; ask for fewer ids at once`;
  return new RosterError('uri_too_long', detail);
}

export function headersTooLarge(): RosterError {
  const detail = `the headers may have at most ${maxHeaderBytes} bytes together`;
  return new RosterError('headers_too_large', detail);
}

function wrongHost(message: string): RosterError {
  return new RosterError('malformed_request', message, { parameter: 'Host' });
}
