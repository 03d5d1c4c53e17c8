import { nodeHttp } from './node-http.ts';

const { validateHeaderName, validateHeaderValue } = nodeHttp;

export type Headers = Readonly<Record<string, string>>;

/** Headers as they stand in the head of a message. Throws if a name or a value would break out of its line. */
export function headerLines(headers: Headers): string {
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return joinHeaders(headers);
}

/** The same for headers made for each request, from nothing that came from outside. */
export function joinHeaders(headers: Headers): string {
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}
