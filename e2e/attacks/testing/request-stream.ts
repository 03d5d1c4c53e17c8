import type { SeededRandom } from '../../../testing/seeded-random.ts';
import type { Answer } from '../../testing/answer-reader.ts';
import { listPath, writePath } from '../../testing/station.ts';

/** A request that can be told from all others by its answer, and what that answer must be. */
export interface TellingRequest {
  readonly method: string;
  readonly text: string;
  /** The resource that it removes or creates. */
  readonly target?: string;
  fits(answer: Answer): boolean;
}

/** Makes up requests to one station. `number` is used once only, and stands in the answer. */
export function makeRequest(random: SeededRandom, station: string, number: number): TellingRequest {
  const kind = random.next();
  if (kind < 0.65) return unknownParameter(station, number);
  if (kind < 0.85) return list(station, number, random.below(20));
  if (kind < 0.865) return list(station, number, 200 + random.below(801));
  if (kind < 0.985) return head(station, number);
  return kind < 0.997 ? removal(station, number) : creation(random, station, number);
}

function unknownParameter(station: string, number: number): TellingRequest {
  const name = `x${number}`;
  return {
    method: 'GET',
    text: `GET ${listPath(station, `?${name}=1`)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    fits: ({ status, body }) => status === 400 && jsonOf(body).parameter === name,
  };
}

function list(station: string, number: number, size: number): TellingRequest {
  // Half of the offsets are past the end; the rest make large answers.
  const offset = size < 200 ? number : 0;
  return {
    method: 'GET',
    text: `GET ${listPath(station, `?page.offset=${offset}&page.size=${size}`)} HTTP/1.1\r\nHost: localhost\r\nX-Number: ${number}\r\n\r\n`,
    fits: ({ status, body }) => {
      const { page } = jsonOf(body);
      return status === 200 && page.offset === offset && page.size === size;
    },
  };
}

function head(station: string, number: number): TellingRequest {
  return {
    method: 'HEAD',
    text: `HEAD ${listPath(station, `?page.offset=${number}`)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    fits: ({ status }) => status === 200,
  };
}

function removal(station: string, number: number): TellingRequest {
  const target = `removed-${number}`;
  return {
    method: 'DELETE',
    text: `DELETE ${writePath(station)}/${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    target,
    fits: ({ status, body }) => status === 404 && String(jsonOf(body).detail).includes(target),
  };
}

function creation(random: SeededRandom, station: string, number: number): TellingRequest {
  const target = `created-${number}`;
  const record = JSON.stringify({ resource_id: target, name: target, resource_type: 'resource_type.a.b' });
  const start = `POST ${writePath(station)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n`;
  const isChunked = random.next() < 0.5;
  const body = isChunked
    ? `Transfer-Encoding: chunked\r\n\r\n${chunked(random, record)}`
    : `Content-Length: ${record.length}\r\n\r\n${record}`;
  return {
    method: 'POST',
    text: start + body,
    target,
    fits: (answer) => answer.status === 200 && jsonOf(answer.body).created === 1,
  };
}

function chunked(random: SeededRandom, text: string): string {
  let chunks = '';
  for (let at = 0; at < text.length; ) {
    const chunk = text.slice(at, at + 1 + random.below(20));
    chunks += `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
    at += chunk.length;
  }
  return `${chunks}0\r\n\r\n`;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape, of which one member is looked at.
function jsonOf(body: Buffer): any {
  return JSON.parse(body.toString());
}
