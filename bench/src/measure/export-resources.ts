import { createWriteStream } from 'node:fs';
import http from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ownStationPath } from '../servers/contender.ts';

export type ExportFormat = 'ndjson' | 'csv' | 'json';

export interface ExportRequest {
  readonly origin: string;
  readonly station: string;
  readonly format: ExportFormat;
  readonly file: string;
}

/** Exports a whole station into a file and returns the seconds that took. */
export async function exportResources({ origin, station, format, file }: ExportRequest): Promise<number> {
  const startedAtMs = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.get(`${origin}${ownStationPath(station)}/export?format=${format}`, resolve).once('error', reject);
  const response = await promise;
  if (response.statusCode !== 200) throw new Error(`export answered ${response.statusCode}`);
  await pipeline(response, createWriteStream(file));
  return (performance.now() - startedAtMs) / 1000;
}
