import { createWriteStream } from 'node:fs';
import http from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ExportFormat } from '../../findings.ts';
import { rosterStationPath } from '../../servers/contender.ts';

export interface ExportRequest {
  readonly origin: string;
  readonly station: string;
  readonly format: ExportFormat;
  readonly file: string;
}

/** Exports a whole station to a file, and returns the seconds it took. */
export async function exportResources({ origin, station, format, file }: ExportRequest): Promise<number> {
  const startedAtMs = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.get(`${origin}${rosterStationPath(station)}/export?format=${format}`, resolve).once('error', reject);
  const response = await promise;
  if (response.statusCode !== 200) throw new Error(`export answered ${response.statusCode}`);
  await pipeline(response, createWriteStream(file));
  return (performance.now() - startedAtMs) / 1000;
}
