import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  formatRevision,
  parseIfMatch,
  parseWriteQuery,
  revisionHeader,
  type StationAddress,
  stationPath,
  viewChange,
} from '@roster/contract';
import type { BatchPlan, Engine, PlannedChange, Store, TimeSlicer } from '@roster/engine';
import type { Counter } from 'prom-client';
import { clientLeft, type Handlers, jsonType } from '../../http/answer.ts';
import type { HeavyReads } from '../../pipeline/shedding/heavy-reads.ts';
import { type NegotiatedLabels, negotiateLabels } from '../snapshot/negotiate-labels.ts';
import { renderInSlices } from '../snapshot/render-in-slices.ts';
import { bodyTooLarge } from './decode-body.ts';
import type { KnownValues } from './distinct-values.ts';
import { recordFormat } from './record-format.ts';
import { type Body, stageBody } from './stage-body.ts';
import { writeAnswer } from './write-answer.ts';

export interface WriteOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly maxBodyBytes: number;
  readonly importedBytes: Counter;
  readonly heavyReads: HeavyReads;
}

export function writeOperations(options: WriteOptions): Pick<Handlers, 'writeResources'> {
  const { store, engine, maxBodyBytes, importedBytes, heavyReads } = options;
  return {
    async writeResources(exchange) {
      const { request, response } = exchange;
      const address = exchange.address!;
      const { mode, allowRemoval, isDryRun, maxChanges } = parseWriteQuery(exchange.search);
      const ifRevision = parseIfMatch(request.headers['if-match']);
      const read = isDryRun ? heavyReads.begin(exchange) : undefined;
      const described = describeBody(request, maxBodyBytes);
      const chunks = counted(described.chunks, importedBytes);
      const party = exchange.owner;
      const body = { ...described, chunks, mode, party, signal: leavingOf(response) };
      const batch = await store.openBatch(address, { mode, allowRemoval, ifRevision, dryRun: isDryRun });
      try {
        const known = await knownValues(store, address, mode);
        await stageBody({ ...body, station: stationPath(address), known }, batch);
        exchange.requireStillValid();
        if (read === undefined) return writeAnswer(await batch.commit());
        const plan = await read.ask(() => batch.plan(maxChanges));
        const { labelOf, headers } = await negotiateLabels(request, engine);
        return {
          headers: { ...headers, [revisionHeader]: formatRevision(plan.head), 'Content-Type': jsonType },
          body: await renderPlan(plan, labelOf, read.slicer),
        };
      } finally {
        await batch.discard();
        // A client that sends before it reads would never read a refusal if the rest were left unread.
        request.resume();
      }
    },
  };
}

/** What the headers say of the body, which is read later. */
function describeBody(request: IncomingMessage, maxBytes: number): Omit<Body, 'station' | 'known'> {
  const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = request.headers;
  const format = recordFormat(type);
  if (Number(length ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  return { chunks: request.iterator({ destroyOnReturn: false }), format, encoding, maxBytes };
}

async function* counted(chunks: AsyncIterable<Buffer>, bytes: Counter): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    bytes.inc(chunk.length);
    yield chunk;
  }
}

/** Aborted when the client leaves. Also aborted after the answer was sent, which has no effect. */
function leavingOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort(clientLeft()));
  return leaving.signal;
}

/** The states that a station has count in a merge only: whoever replaces it may be about to correct them. */
async function knownValues(store: Store, address: StationAddress, mode: Body['mode']): Promise<KnownValues> {
  const { types } = await store.catalog();
  const station = mode === 'replace' ? undefined : await store.station(address);
  return { types, states: new Set(Object.keys(station?.counts.byState ?? {})) };
}

async function renderPlan(
  plan: BatchPlan,
  labelOf: NegotiatedLabels['labelOf'],
  slicer: TimeSlicer,
): Promise<string> {
  const view = (change: PlannedChange) => viewPlannedChange(change, labelOf);
  const changes = await renderInSlices(plan.changes, view, slicer);
  return `${JSON.stringify(viewPlan(plan)).slice(0, -1)},"changes":${changes}}`;
}

/** All but the changes. */
function viewPlan(plan: BatchPlan): object {
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
  };
}

function viewPlannedChange(change: PlannedChange, labelOf: NegotiatedLabels['labelOf']): object {
  return { line: change.line, ...viewChange(change.before, change.after, labelOf) };
}
