import { parseRevision, type StationAddress } from '@roster/contract';
import type { Engine, Labels, Snapshot } from '@roster/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag, type Rendition, renditionOf } from './rendition.ts';
import { addressOf } from './route.ts';

/** One snapshot of a station in one language, as a request asked for it. */
export interface StationReading {
  readonly address: StationAddress;
  readonly snapshot: Snapshot;
  readonly labels: Labels;
  readonly rendition: Rendition;
}

/** Follows Roster-Revision and Accept-Language just as the list does. */
export async function readStation(request: FastifyRequest, engine: Engine): Promise<StationReading> {
  const address = addressOf(request);
  const pin = request.headers['roster-revision'];
  const snapshot = await engine.read(address, pin === undefined ? undefined : parseRevision(String(pin)));
  const labels = engine.knownLabels();
  const locale = labels.localeFor(request.headers['accept-language']);
  return { address, snapshot, labels, rendition: renditionOf(snapshot, labels, locale) };
}

/** `headers` are names and values in turn. */
export function setHeaders(reply: FastifyReply, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at]!, headers[at + 1]!);
}

/** Whether 304 is all there is to answer, with these headers. */
export function isNotModified(request: FastifyRequest, headers: readonly string[]): boolean {
  const ifNoneMatch = request.headers['if-none-match'];
  return ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, headers[headers.indexOf('ETag') + 1]!);
}
