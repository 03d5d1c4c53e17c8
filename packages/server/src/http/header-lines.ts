import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Headers as `writeHead` takes them: names and values in turn. */
export type RawHeaders = readonly string[];

/** Headers as they stand in the head of a message. Throws where a name or a value would break out of its line. */
export function headerLines(headers: RawHeaders): string {
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!;
    const value = headers[at + 1]!;
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
