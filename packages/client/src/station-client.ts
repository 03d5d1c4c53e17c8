import { type CallOptions, callHeaders, type ReadOptions } from './http/request.ts';
import type { Transport } from './http/transport.ts';
import { type ListAllOptions, Listing } from './list/listing.ts';
import { type ListAnswer, readList } from './list/read-list.ts';
import { StationManagement } from './manage/station-management.ts';
import { encodeFilters, encodeListQuery, type Filters, type ListQuery } from './query/list-query.ts';
import { type StationAddress, stationPath } from './station-address.ts';

/** A station on any server of the documented interface. `manage` is the roster API, which only Roster has. */
export class StationClient {
  readonly address: StationAddress;
  /** The address in path form, each name percent-encoded. */
  readonly path: string;
  readonly manage: StationManagement;
  readonly #transport: Transport;

  constructor(address: StationAddress, transport: Transport) {
    this.address = address;
    this.path = stationPath(address);
    this.manage = new StationManagement(this.path, transport);
    this.#transport = transport;
  }

  /** One page or, without `offset` and `size`, the whole list if the server allows it. */
  async list(query: ListQuery = {}, options: ReadOptions = {}): Promise<ListAnswer> {
    return this.#read(encodeListQuery(query, this.#transport.settings.listDelimiter), options, true);
  }

  /** Every match, each once. */
  listAll(filters: Filters = {}, options: ListAllOptions = {}): Listing {
    const search = encodeFilters(filters, this.#transport.settings.listDelimiter);
    const { timeoutMs, acceptLanguage } = options;
    return new Listing(({ offset, size, revision, signal }) => {
      const paged = new URLSearchParams(search);
      paged.set('page.offset', String(offset));
      paged.set('page.size', String(size));
      return this.#read(paged, { timeoutMs, acceptLanguage, revision, signal }, false);
    }, options);
  }

  /** The server's total or, if it gives none, the number of resources listed. */
  async count(filters: Filters = {}, options: CallOptions = {}): Promise<number> {
    const { page } = await this.list({ ...filters, offset: 0, size: 1 }, options);
    if (page !== null) return page.total;
    let count = 0;
    for await (const _ of this.listAll(filters, options)) count++;
    return count;
  }

  async #read(search: URLSearchParams, options: ReadOptions, canCache: boolean): Promise<ListAnswer> {
    const answer = await this.#transport.json({
      method: 'GET',
      path: `/monitor/ts/data/v1/${this.path}/resources`,
      search,
      headers: { 'Content-Type': 'application/json', ...callHeaders(options) },
      options,
      canRepeat: true,
      canCache,
    });
    return readList(answer);
  }
}
