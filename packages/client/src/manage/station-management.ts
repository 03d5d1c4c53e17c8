import { encodeSegment } from '../check-argument.ts';
import { type CallOptions, callHeaders, type ReadOptions, revisionHeader } from '../http/request.ts';
import type { OpenAnswer, Transport } from '../http/transport.ts';
import { type ChangesQuery, encodeChangesQuery } from '../query/changes-query.ts';
import {
  encodeSearchFilters,
  encodeSearchQuery,
  type SearchFilters,
  type SearchQuery,
} from '../query/search-query.ts';
import { encodeTrendsQuery, type TrendsQuery } from '../query/trends-query.ts';
import type {
  Alert,
  HistoryPage,
  Plan,
  RecordView,
  SearchPage,
  Source,
  Station,
  StoredResource,
  Summary,
  Trends,
  WriteResult,
} from '../roster-wire.ts';
import { type ListedEvent, Watch } from '../watch/watch.ts';
import { Export, type ExportFormat, exportFormats } from './export.ts';
import { History } from './history.ts';
import { checkFormat, mediaTypes } from './record-format.ts';
import { askRoster, type ConditionalOptions, conditionally } from './roster-request.ts';
import type { PatchInput, WriteInput } from './write-body.ts';
import {
  type PatchOptions,
  patchRequest,
  type WriteOptions,
  type WriteRequest,
  writeRequest,
} from './write-request.ts';

export interface ExportOptions extends ReadOptions {
  /** `ndjson` unless given. */
  readonly format?: ExportFormat | undefined;
}

/** A page, and the snapshot that it is from: pass `revision` on to read the next pages from the same one. */
export interface SearchAnswer extends SearchPage {
  readonly revision: string | undefined;
}

/** With both `since` and `list`: start there, and list only after a gap in the history. */
export interface WatchQuery
  extends Omit<ChangesQuery, 'size' | 'changedAfter' | 'changedBefore' | 'stateChanges'> {
  /** Whether to start with the whole station, and again after a gap. True unless `since` is given. */
  readonly list?: boolean | undefined;
}

export interface WatchOptions extends Omit<CallOptions, 'timeoutMs'> {
  /** Called when every change up to a revision has been returned: at the start, and while nothing changes. */
  readonly onCurrent?: ((revision: string) => void) | undefined;
  /** Called whenever the stream breaks off, before the watch reconnects. */
  readonly onInterrupted?: (() => void) | undefined;
}

/** The server sends a heartbeat three times as often. */
const maxSilenceMs = 45_000;

const writeResultMembers = ['revision', 'created', 'updated', 'unchanged', 'removed'];

/** The roster API for one station. */
export class StationManagement {
  readonly #path: string;
  readonly #transport: Transport;

  constructor(stationPath: string, transport: Transport) {
    this.#path = `/${stationPath}`;
    this.#transport = transport;
  }

  /** Does nothing if the station exists. */
  async create(options: CallOptions = {}): Promise<{ created: boolean; station: Station }> {
    const request = { method: 'PUT', path: this.#path, options } as const;
    const { status, value } = await askRoster(this.#transport, request, ['station', 'revision']);
    return { created: status === 201, station: value };
  }

  /** The sources that report the states of its resources. */
  async sources(options: CallOptions = {}): Promise<readonly Source[]> {
    const request = { method: 'GET', path: '/sources', options } as const;
    const { value } = await askRoster(this.#transport, request, ['sources']);
    const path = this.#path.slice(1);
    return (value as { sources: Source[] }).sources.filter(({ stations }) => stations.includes(path));
  }

  async get(options: CallOptions = {}): Promise<Station> {
    const request = { method: 'GET', path: this.#path, options } as const;
    return (await askRoster(this.#transport, request, ['station', 'revision'])).value;
  }

  /** Deletes the station and all its resources. */
  async delete(options: ConditionalOptions = {}): Promise<void> {
    const request = { method: 'DELETE', path: this.#path, options, ...conditionally(options) } as const;
    await askRoster(this.#transport, request, []);
  }

  /** Writes all records or none. With `dryRun`, returns the plan without writing. */
  write(input: WriteInput, options: WriteOptions & { readonly dryRun: true }): Promise<Plan>;
  write(input: WriteInput, options?: WriteOptions & { readonly dryRun?: false }): Promise<WriteResult>;
  write(input: WriteInput, options?: WriteOptions): Promise<WriteResult | Plan>;
  async write(input: WriteInput, options: WriteOptions = {}): Promise<WriteResult | Plan> {
    return this.#send(writeRequest(`${this.#path}/resources`, input, options), options);
  }

  /** Changes fields of existing resources, all or none. With `dryRun`, returns the plan without writing. */
  patch(input: PatchInput, options: PatchOptions & { readonly dryRun: true }): Promise<Plan>;
  patch(input: PatchInput, options?: PatchOptions & { readonly dryRun?: false }): Promise<WriteResult>;
  patch(input: PatchInput, options?: PatchOptions): Promise<WriteResult | Plan>;
  async patch(input: PatchInput, options: PatchOptions = {}): Promise<WriteResult | Plan> {
    return this.#send(patchRequest(`${this.#path}/resources`, input, options), options);
  }

  async #send(
    { failure, request }: WriteRequest,
    { dryRun }: Pick<WriteOptions, 'dryRun'>,
  ): Promise<WriteResult | Plan> {
    try {
      const members = dryRun ? [...writeResultMembers, 'changes'] : writeResultMembers;
      return (await askRoster(this.#transport, request, members)).value;
    } catch (error) {
      throw failure() ?? error;
    }
  }

  async resource(resourceId: string, options: CallOptions = {}): Promise<StoredResource> {
    const request = { method: 'GET', path: this.#resourcePath(resourceId), options } as const;
    return (await askRoster(this.#transport, request, ['resource_id'])).value;
  }

  /** The alerts of a resource, as the sources of the station last told them; worst first. */
  async alerts(resourceId: string, options: CallOptions = {}): Promise<readonly Alert[]> {
    const path = `${this.#resourcePath(resourceId)}/alerts`;
    const { value } = await askRoster(this.#transport, { method: 'GET', path, options }, ['alerts']);
    return (value as { alerts: Alert[] }).alerts;
  }

  async remove(resourceId: string, options: ConditionalOptions = {}): Promise<WriteResult> {
    const path = this.#resourcePath(resourceId);
    const request = { method: 'DELETE', path, options, ...conditionally(options) } as const;
    return (await askRoster(this.#transport, request, writeResultMembers)).value;
  }

  /** One page of the resources that match, with every field. */
  async search(query: SearchQuery = {}, options: ReadOptions = {}): Promise<SearchAnswer> {
    const search = encodeSearchQuery(query, this.#transport.settings.listDelimiter);
    const path = `${this.#path}/resources`;
    const request = { method: 'GET', path, search, options, canCache: true } as const;
    const { value, headers } = await askRoster(this.#transport, request, ['resources', 'page']);
    return { ...(value as SearchPage), revision: headers.get(revisionHeader) ?? undefined };
  }

  /** Counts by state, type and product, and resources without alert rules. */
  async summary(filters: SearchFilters = {}, options: ReadOptions = {}): Promise<Summary> {
    const search = encodeSearchFilters(filters, this.#transport.settings.listDelimiter);
    const path = `${this.#path}/summary`;
    const request = { method: 'GET', path, search, options, canCache: true } as const;
    return (await askRoster(this.#transport, request, ['total', 'states'])).value;
  }

  /** How the counts developed, by the hour or day. */
  async trends(query: TrendsQuery = {}, options: CallOptions = {}): Promise<Trends> {
    const search = encodeTrendsQuery(query);
    const request = { method: 'GET', path: `${this.#path}/trends`, search, options } as const;
    return (await askRoster(this.#transport, request, ['step', 'points'])).value;
  }

  /** Streams every match of one snapshot with all fields, in a form that can be written back. */
  async export(filters: SearchFilters = {}, options: ExportOptions = {}): Promise<Export> {
    const format = checkFormat(options.format ?? 'ndjson', exportFormats);
    const search = encodeSearchFilters(filters, this.#transport.settings.listDelimiter);
    search.set('format', format);
    const path = `/roster/v1${this.#path}/export`;
    const headers = callHeaders(options);
    const request = { method: 'GET', path, search, headers, options, canRepeat: true } as const;
    const answer = await this.#transport.open(request, mediaTypes[format]);
    return new Export(answer, format);
  }

  /** One page of changes. */
  async changes(query: ChangesQuery = {}, options: CallOptions = {}): Promise<HistoryPage> {
    const request = { method: 'GET', path: `${this.#path}/changes`, options } as const;
    const search = this.#encodeChanges(query);
    return (await askRoster(this.#transport, { ...request, search }, ['changes', 'next', 'has_more'])).value;
  }

  /** All changes up to now. */
  history(query: ChangesQuery = {}, options: CallOptions = {}): History {
    this.#encodeChanges(query);
    return new History((since) => this.changes({ ...query, since }, options), query.since);
  }

  /** The station, then its changes as they happen; with `list: false`, only the changes. */
  watch(query: WatchQuery = {}, options: WatchOptions = {}): Watch {
    const { onCurrent, onInterrupted, ...call } = options;
    const { list = query.since === undefined, ...changes } = query;
    this.#encodeChanges(changes);
    const source = {
      list: () => this.#listForWatch(changes, call),
      open: (since: string | undefined) => this.#openStream({ ...changes, since }, call),
    };
    return new Watch(source, {
      since: query.since,
      list,
      signal: call.signal,
      onCurrent,
      onInterrupted,
    });
  }

  async #listForWatch(query: ChangesQuery, options: CallOptions): Promise<ListedEvent> {
    const { since: _, size: __, resourceId, ...filters } = query;
    const one = resourceId === undefined ? {} : { resourceIds: [resourceId] };
    const exported = await this.export({ ...filters, ...one }, options);
    const resources: RecordView[] = [];
    for await (const record of exported.records()) resources.push(record);
    return { kind: 'listed', revision: exported.revision!, resources };
  }

  #openStream(query: ChangesQuery, options: CallOptions): Promise<OpenAnswer> {
    const path = `/roster/v1${this.#path}/changes/stream`;
    const search = this.#encodeChanges(query);
    const headers = callHeaders(options);
    const patience = { ...options, timeoutMs: maxSilenceMs };
    const request = { method: 'GET', path, search, headers, options: patience, canRepeat: false } as const;
    return this.#transport.open(request, 'text/event-stream');
  }

  #encodeChanges(query: ChangesQuery): URLSearchParams {
    return encodeChangesQuery(query, this.#transport.settings.listDelimiter);
  }

  #resourcePath(resourceId: string): string {
    return `${this.#path}/resources/${encodeSegment('the resource id', resourceId)}`;
  }
}
