import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  formatRevision,
  parseIfMatch,
  parsePatchQuery,
  parseWriteQuery,
  revisionHeader,
  stationPath,
  usualStates,
  viewChange,
  type WriteQuery,
} from '@roster/contract';
import type { Batch, BatchPlan, Station, Store, TimeSlicer, WriteResult } from '@roster/engine';
import type { Counter } from 'prom-client';
import { type Answer, clientLeft, type Handlers, jsonType } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { nameWithId } from '../../http/principal.ts';
import { readChunks } from '../../http/read-chunks.ts';
import type { OperationOptions } from '../operation-options.ts';
import { renderInSlices } from '../snapshot/render-in-slices.ts';
import { labelsForRequest, type NegotiatedLabels } from '../snapshot/request-labels.ts';
import { bodyTooLarge } from './decode-body.ts';
import type { KnownValues } from './distinct-values.ts';
import { recordFormat } from './record-format.ts';
import { SourcedFields } from './sourced-fields.ts';
import { type Body, stageBody } from './stage-body.ts';

export function writeOperations(
  options: OperationOptions,
): Pick<Handlers, 'writeResources' | 'patchResources'> {
  return {
    writeResources: (exchange) => write(exchange, parseWriteQuery(exchange.search), options),
    patchResources: (exchange) => write(exchange, parsePatchQuery(exchange.search), options),
  };
}

async function write(exchange: Exchange, query: WriteQuery, options: OperationOptions): Promise<Answer> {
  const { store, engine, sources, maxBodyBytes, metrics, heavyReads } = options;
  const { request, response } = exchange;
  const address = exchange.address!;
  const { mode, allowRemoval, isDryRun, maxChanges } = query;
  const ifRevision = parseIfMatch(request.headers['if-match']);
  const read = isDryRun ? heavyReads.begin(exchange) : undefined;
  const described = describeBody(request, { maxBytes: maxBodyBytes, isPatch: mode === 'patch' });
  const chunks = counted(described.chunks, metrics.importedBytes);
  const body = { ...described, chunks, mode, party: exchange.owner, signal: leavingOf(response) };
  const changedBy = nameWithId(exchange.principal!);
  const batchOptions = { mode, allowRemoval, ifRevision, changedBy, dryRun: isDryRun };
  const batch = await store.openBatch(address, batchOptions);
  try {
    const known = knownValues(store, batch, mode);
    const owned = sources?.ownedFields(address);
    const sourced = owned && new SourcedFields(owned);
    const states = await stageBody({ ...body, station: stationPath(address), known, sourced }, batch);
    const newStates = findNewStates(states, batch.station);
    exchange.requireStillValid();
    if (read === undefined) return writeAnswer(await batch.commit(), { newStates, sourced });
    const plan = await read.ask(() => batch.plan(maxChanges));
    const { labelOf, headers } = await labelsForRequest(request, engine);
    return {
      headers: { ...headers, [revisionHeader]: formatRevision(plan.head), 'Content-Type': jsonType },
      body: await renderPlan(plan, { labelOf, slicer: read.slicer, newStates, sourced }),
    };
  } finally {
    await batch.discard();
    // A client may send everything before it reads the refusal.
    request.resume();
  }
}

/** Describes the body by the headers; it is read later. */
function describeBody(
  request: IncomingMessage,
  { maxBytes, isPatch }: { maxBytes: number; isPatch: boolean },
): Omit<Body, 'station' | 'known'> {
  const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = request.headers;
  const format = recordFormat(type, { isPatch });
  if (Number(length ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  return { chunks: readChunks(request), format, encoding, maxBytes };
}

async function* counted(chunks: AsyncIterable<Buffer>, bytes: Counter): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    bytes.inc(chunk.length);
    yield chunk;
  }
}

/** Aborted when the client leaves before it is answered. */
function leavingOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort(clientLeft());
  });
  return leaving.signal;
}

/** A replace may correct the states of a station, so existing ones count only otherwise. */
function knownValues(store: Store, { station }: Batch, mode: Body['mode']): KnownValues {
  const states = mode === 'replace' ? [] : Object.keys(station.counts.byState);
  return { types: store.knownCatalog().types, states: new Set(states) };
}

/** Those that no resource of the station is in, sorted. The usual ones are no news. */
function findNewStates(states: ReadonlySet<string>, { counts }: Station): string[] {
  const isNew = (state: string) => !usualStates.includes(state) && !Object.hasOwn(counts.byState, state);
  return [...states].filter(isNew).sort();
}

/** What the records themselves tell. */
interface RecordFindings {
  readonly newStates: readonly string[];
  readonly sourced: SourcedFields | undefined;
}

interface PlanParts extends RecordFindings {
  readonly labelOf: NegotiatedLabels['labelOf'];
  readonly slicer: TimeSlicer;
}

async function renderPlan(
  plan: BatchPlan,
  { labelOf, slicer, newStates, sourced }: PlanParts,
): Promise<string> {
  const { created, updated, unchanged, removed, newTypes, refusal } = plan;
  const counts = JSON.stringify({
    dry_run: true,
    revision: formatRevision(plan.head),
    created,
    updated,
    unchanged,
    removed,
    new_types: newTypes,
    new_states: newStates,
    refusal: refusal === undefined ? null : { code: refusal.code, detail: refusal.message },
    total_changes: created + updated + removed,
    ...sourced?.view(),
  });
  const changes = await renderInSlices(
    plan.changes,
    ({ line, before, after }) => ({ line, ...viewChange(before, after, labelOf) }),
    slicer,
  );
  return `${counts.slice(0, -1)},"changes":${changes}}`;
}

export function writeAnswer(
  result: WriteResult,
  { newStates, sourced }: Partial<RecordFindings> = {},
): Answer {
  const { created, updated, unchanged, removed, newTypes } = result;
  const revision = formatRevision(result.head);
  return {
    headers: { [revisionHeader]: revision },
    body: {
      revision,
      created,
      updated,
      unchanged,
      removed,
      new_types: newTypes,
      new_states: newStates ?? [],
      ...sourced?.view(),
    },
  };
}
