import { readFileSync } from 'node:fs';
import http from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { StationData } from '../../dataset/station-data.ts';
import { rosterStationPath } from '../../servers/contender.ts';

const pieceBytes = 262_144;
const contentTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

export interface ImportRequest {
  readonly origin: string;
  readonly station: string;
  readonly file: string;
  readonly format: keyof typeof contentTypes;
  readonly count: number;
}

/** An import of the whole data set into a station. */
export function importOf(data: StationData, server: { origin: string }, station: string): ImportRequest {
  return { origin: server.origin, station, file: data.ndjsonFile, format: 'ndjson', count: data.size };
}

/** Creates a station, imports a file in one request, and returns the seconds it took. */
export async function importResources(request: ImportRequest): Promise<number> {
  await createStation(request.origin, request.station);
  const { seconds, answer } = await sendRecords(request, '');
  if (answer.created !== request.count) throw new Error(`import answered ${JSON.stringify(answer)}`);
  return seconds;
}

/** Dry-runs an import that changes nothing, and returns the seconds it took. */
export async function planUnchanged(request: ImportRequest): Promise<number> {
  const { seconds, answer } = await sendRecords(request, '?dry_run=true&mode=replace');
  if (answer.unchanged !== request.count) throw new Error(`dry run answered ${JSON.stringify(answer)}`);
  return seconds;
}

export async function createStation(origin: string, station: string): Promise<void> {
  const created = await fetch(`${origin}${rosterStationPath(station)}`, { method: 'PUT' });
  if (!created.ok) throw new Error(`station not created, status ${created.status}: ${await created.text()}`);
  await created.arrayBuffer();
}

interface SentRecords {
  /** From the first byte of the body to the acknowledgement. */
  readonly seconds: number;
  readonly answer: { readonly created?: number; readonly unchanged?: number };
}

async function sendRecords(
  { origin, station, file, format }: ImportRequest,
  search: string,
): Promise<SentRecords> {
  // Reads the file first, to leave the CPU to the server during the upload.
  const body = readFileSync(file);
  const request = http.request(`${origin}${rosterStationPath(station)}/resources${search}`, {
    method: 'POST',
    headers: { 'content-type': contentTypes[format], 'content-length': body.length },
  });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  request.once('response', resolve).once('error', reject);
  const startedAtMs = performance.now();
  // A refusal ends the upload early; what matters then is the answer, not the broken pipe.
  pipeline(Readable.from(piecesOf(body)), request).catch(() => {});
  const response = await promise;
  const answer = (await json(response)) as SentRecords['answer'];
  const seconds = (performance.now() - startedAtMs) / 1000;
  if (response.statusCode !== 200)
    throw new Error(`write answered ${response.statusCode}: ${JSON.stringify(answer)}`);
  return { seconds, answer };
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}
