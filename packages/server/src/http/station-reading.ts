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

/** Sets the headers of a reading; returns whether that is all there is to answer, with 304. */
export function isNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: readonly string[],
): boolean {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at]!, headers[at + 1]!);
  const etag = headers[headers.indexOf('ETag') + 1]!;
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifNoneMatch === undefined || !matchesEtag(ifNoneMatch, etag)) return false;
  reply.code(304);
  return true;
}
