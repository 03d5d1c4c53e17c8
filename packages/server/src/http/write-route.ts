import {
  formatRevision,
  parseIfMatch,
  parseWriteQuery,
  revisionHeader,
  type StationAddress,
  stationPath,
  viewChange,
} from '@roster/contract';
import type { BatchPlan, Engine, PlannedChange, Store } from '@roster/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Counter } from 'prom-client';
import { bodyTooLarge } from '../ingest/decode-body.ts';
import type { KnownValues } from '../ingest/distinct-values.ts';
import { recordFormat } from '../ingest/record-format.ts';
import { type Body, stageBody } from '../ingest/stage-body.ts';
import { clientLeft } from './client-left.ts';
import { type NegotiatedLabels, negotiateLabels } from './negotiate-labels.ts';
import { contextOf } from './request-context.ts';
import { sendWriteResult } from './resource-routes.ts';
import { addressOf, requireStillValid, route, searchOf } from './route.ts';

export interface WriteRouteOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly maxBodyBytes: number;
  readonly importedBytes: Counter;
}

export function registerWriteRoute(app: FastifyInstance, options: WriteRouteOptions): void {
  const { store, engine, maxBodyBytes, importedBytes } = options;

  route(app, 'writeResources', async (request, reply) => {
    const address = addressOf(request);
    const { mode, allowRemoval, isDryRun, maxChanges } = parseWriteQuery(searchOf(request));
    contextOf(request.raw).isDryRun = isDryRun;
    const ifRevision = parseIfMatch(request.headers['if-match']);
    const described = describeBody(request, maxBodyBytes);
    const chunks = counted(described.chunks, importedBytes);
    const body = { ...described, chunks, mode, signal: leavingOf(reply) };
    const batch = await store.openBatch(address, { mode, allowRemoval, ifRevision, dryRun: isDryRun });
    try {
      const known = await knownValues(store, address, mode);
      await stageBody({ ...body, station: stationPath(address), known }, batch);
      requireStillValid(request);
      if (!isDryRun) return sendWriteResult(reply, await batch.commit());
      const plan = await batch.plan(maxChanges);
      const { labelOf, headers } = await negotiateLabels(request, engine);
      return reply
        .headers({ ...headers, [revisionHeader]: formatRevision(plan.head) })
        .send(viewPlan(plan, labelOf));
    } finally {
      await batch.discard();
      // A client that sends before it reads would never hear of a refusal if the rest were left unread.
      request.raw.resume();
    }
  });
}

/** What the headers say of the body, which is read later. */
function describeBody(request: FastifyRequest, maxBytes: number): Omit<Body, 'station' | 'known'> {
  const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = request.headers;
  const format = recordFormat(type);
  if (Number(length ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  return { chunks: request.raw.iterator({ destroyOnReturn: false }), format, encoding, maxBytes };
}

async function* counted(chunks: AsyncIterable<Buffer>, bytes: Counter): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    bytes.inc(chunk.length);
    yield chunk;
  }
}

/** Aborted when the client leaves. That it also is when the answer was sent disturbs nobody. */
function leavingOf(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  reply.raw.once('close', () => leaving.abort(clientLeft()));
  return leaving.signal;
}

/** The states that a station has count in a merge only: whoever replaces it may be about to correct them. */
async function knownValues(store: Store, address: StationAddress, mode: Body['mode']): Promise<KnownValues> {
  const { types } = await store.catalog();
  const station = mode === 'replace' ? undefined : await store.station(address);
  return { types, states: new Set(Object.keys(station?.counts.byState ?? {})) };
}

function viewPlan(plan: BatchPlan, labelOf: NegotiatedLabels['labelOf']): object {
  const { created, updated, unchanged, removed, newTypes, refusal } = plan;
  return {
    dry_run: true,
    revision: formatRevision(plan.head),
    created,
    updated,
    unchanged,
    removed,
    new_types: newTypes,
    refusal: refusal === undefined ? null : { code: refusal.code, detail: refusal.message },
    total_changes: created + updated + removed,
    changes: plan.changes.map((change) => viewPlannedChange(change, labelOf)),
  };
}

function viewPlannedChange(change: PlannedChange, labelOf: NegotiatedLabels['labelOf']): object {
  return { line: change.line, ...viewChange(change.before, change.after, labelOf) };
}
