import { createReadStream, statSync } from 'node:fs';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ownStationPath } from '../servers/contender.ts';

export interface ImportRequest {
  readonly origin: string;
  readonly station: string;
  readonly ndjsonFile: string;
  readonly count: number;
}

/** Creates a station, writes a file of records to it in one request and returns the seconds that took. */
export async function importResources(request: ImportRequest): Promise<number> {
  const path = ownStationPath(request.station);
  const created = await fetch(`${request.origin}${path}`, { method: 'PUT' });
  if (!created.ok) throw new Error(`station not created, status ${created.status}: ${await created.text()}`);
  await created.arrayBuffer();
  return sendRecords(`${request.origin}${path}/resources`, request);
}

/** Seconds from the first byte of the body to the acknowledgement. */
async function sendRecords(url: string, { ndjsonFile, count }: ImportRequest): Promise<number> {
  const request = http.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', 'content-length': statSync(ndjsonFile).size },
  });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  request.once('response', resolve).once('error', reject);
  const startedAtMs = performance.now();
  // A refusal ends the upload early; what matters then is the answer, not the broken pipe.
  pipeline(createReadStream(ndjsonFile, { highWaterMark: 262_144 }), request).catch(() => {});
  const response = await promise;
  const answer = (await json(response)) as { created?: number };
  const seconds = (performance.now() - startedAtMs) / 1000;
  if (response.statusCode !== 200 || answer.created !== count) {
    throw new Error(`import answered ${response.statusCode}: ${JSON.stringify(answer)}`);
  }
  return seconds;
}
