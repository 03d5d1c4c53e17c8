import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperationId, StationAddress } from '@roster/contract';
import { addressKey } from '../quotas/address-key.ts';
import type { Headers } from './headers.ts';
import { accountOf, type Principal } from './principal.ts';
import type { Client, ClientOf } from './trusted-proxies.ts';

export interface ExchangeContext {
  readonly clientOf: ClientOf;
  /** Sets the headers that every answer has. */
  readonly prepare: (exchange: Exchange) => void;
  /** Throws `unauthorized` if a principal that was let in is no longer valid. */
  readonly requireValid: (principal: Principal) => void;
}

const noHeaders: Headers = {};
const noParams: Readonly<Record<string, string>> = {};

/** A request, its response, and what the pipeline has found out about them so far. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAtMs = performance.now();
  /** Undefined for paths that no operation has. */
  operation: OperationId | undefined = undefined;
  /** The parameters in the path, decoded. */
  params = noParams;
  /** The station that the path names, or the view that it names. */
  address: StationAddress | undefined = undefined;
  principal: Principal | undefined = undefined;
  rateHeaders = noHeaders;
  /** A write that only reports what it would do. */
  isDryRun = false;
  /** Whether it takes turns with others of its account and keeps nobody else waiting. */
  isFair = false;
  /** Called every second after the caller lost access, until the response closes. By default, it is cut off. */
  onRevoked: (() => void) | undefined = undefined;
  /** Its index among the open exchanges. */
  openIndex = -1;
  /** Whether the client has left, or has its answer. */
  isClosed = false;
  readonly #context: ExchangeContext;
  #client: Client | undefined = undefined;
  #requestId: string | undefined = undefined;
  #target: string | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse, context: ExchangeContext) {
    this.request = request;
    this.response = response;
    this.#context = context;
  }

  /** The client, found through trusted proxies. */
  get client(): Client {
    this.#client ??= this.#context.clientOf(this.request);
    return this.#client;
  }

  get isSecure(): boolean {
    return this.client.origin.startsWith('https:');
  }

  /** Whose share of the limits it uses: its principal, or its address without authentication. */
  get owner(): string {
    return accountOf(this.principal) ?? addressKey(this.client.address);
  }

  get requestId(): string {
    this.#requestId ??= randomUUID();
    return this.#requestId;
  }

  /** The resource, type, view or token that it names. */
  get target(): string | undefined {
    const { resource_id, type_key, view_name, token_id } = this.params;
    return this.#target ?? resource_id ?? type_key ?? view_name ?? token_id;
  }

  set target(target: string) {
    this.#target = target;
  }

  get isRead(): boolean {
    const { method } = this.request;
    return method === 'GET' || method === 'HEAD';
  }

  /** Whether more of its body must arrive. What reads no body is done whatever may still arrive. */
  get isArriving(): boolean {
    const { complete, method } = this.request;
    return !complete && method !== 'DELETE' && this.operation !== 'createStation';
  }

  /** Sets the headers that every answer has, for a handler that sends its response by itself. */
  prepare(): ServerResponse {
    this.#context.prepare(this);
    return this.response;
  }

  /** Throws `unauthorized` if the caller lost access while the body arrived. */
  requireStillValid(): void {
    if (this.principal !== undefined) this.#context.requireValid(this.principal);
  }

  /** The part of the URL before `?`. */
  get path(): string {
    const url = this.request.url!;
    const at = url.indexOf('?');
    return at === -1 ? url : url.slice(0, at);
  }

  /** The part of the URL after `?`. */
  get search(): string {
    const url = this.request.url!;
    const at = url.indexOf('?');
    return at === -1 ? '' : url.slice(at + 1);
  }
}
