import { nodeHttp } from './node-http.ts';

const { validateHeaderName, validateHeaderValue } = nodeHttp;

/** Headers as `writeHead` takes them: names and values in turn. */
export type RawHeaders = readonly string[];

/** Headers as they stand in the head of a message. Throws where a name or a value would break out of its line. */
export function headerLines(headers: RawHeaders): string {
  for (let at = 0; at < headers.length; at += 2) {
    validateHeaderName(headers[at]!);
    validateHeaderValue(headers[at]!, headers[at + 1]!);
  }
  return joinHeaders(headers);
}

/** The same for headers that are made for each request, of nothing that came from outside. */
export function joinHeaders(headers: RawHeaders): string {
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}
