import { limits, operations, RosterError, type StationAddress, shorten, stationPath } from '@roster/contract';
import type { Exchange } from '../http/exchange.ts';

/** One write or one denial: who did what, from where, and how it ended; or a write that is about to be made. */
export interface AuditEntry {
  readonly time: string;
  readonly event: 'write' | 'denial' | 'attempt';
  readonly operation: string;
  /** Null when it is not known. */
  readonly who: {
    readonly name: string;
    readonly kind: string;
    readonly id: string;
    readonly role: string;
  } | null;
  /** The address of the client. */
  readonly from: string;
  readonly station?: string;
  /** The resource, type or token. */
  readonly target?: string;
  /** Of everything but an attempt. */
  readonly status?: number;
  readonly code?: string;
  readonly revision?: string;
  readonly request_id: string;
}

export interface AuditedOutcome {
  readonly status: number;
  readonly code?: string | undefined;
  readonly revision?: string | undefined;
  /** In place of the one that the request names. */
  readonly target?: string | undefined;
}

export interface AuditOptions {
  /** Returns whether the entry was written, and never throws. */
  readonly write: (entry: AuditEntry) => boolean;
  /** Whether a write is refused where the audit cannot tell of it. */
  readonly isRequired: boolean;
}

/** Not recorded: a client that floods the server must not flood the audit. */
const tooManyRequests = 429;

/** A full disk is rarely freed within seconds. */
const retryAfterSeconds = 5;

/** Keeps a record of every write and of everything that was denied. */
export class Audit {
  readonly #options: AuditOptions;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /**
   * To be called before a write. Where the audit is required it tells of the write first, for afterwards it is too late
   * to refuse it, and throws `audit_unavailable` if it cannot.
   */
  begin(exchange: Exchange): void {
    const { isRequired, write } = this.#options;
    if (!isRequired || exchange.isDryRun || write(this.#entry(exchange, 'attempt', {}))) return;
    const detail = 'the audit cannot be written, and no write is made without it; reads go on';
    throw new RosterError('audit_unavailable', detail, { retryAfterSeconds });
  }

  /** To be called with every outcome; those that are neither a write nor a denial are passed over. */
  record(exchange: Exchange, outcome: AuditedOutcome): void {
    const { status, code } = outcome;
    const { operation, isDryRun } = exchange;
    // The attempt that could not be written is missing already.
    if (operation === undefined || status === tooManyRequests || code === 'audit_unavailable') return;
    const isDenial = status === 401 || status === 403;
    if (!isDenial && (operations[operation].method === 'GET' || isDryRun)) return;
    this.#options.write(this.#entry(exchange, isDenial ? 'denial' : 'write', outcome));
  }

  #entry(
    exchange: Exchange,
    event: AuditEntry['event'],
    { status, code, revision, ...outcome }: Partial<AuditedOutcome>,
  ): AuditEntry {
    const { operation, principal, address, requestId, client } = exchange;
    const target = outcome.target ?? exchange.target;
    return {
      time: new Date().toISOString(),
      event,
      operation: operation!,
      who: principal === undefined ? null : pick(principal),
      from: client.address,
      ...(address && { station: stationPath(shortenNames(address)) }),
      ...(target && { target: shorten(target, limits.maxIdLength) }),
      ...(status && { status }),
      ...(code && { code }),
      ...(revision && { revision }),
      request_id: requestId,
    };
  }
}

/** No name of a station is cut, only what cannot be one. */
function shortenNames({ subscription, resourceGroup, zone, name }: StationAddress): StationAddress {
  const cut = (text: string) => shorten(text, limits.maxAddressPartLength);
  return {
    subscription: cut(subscription),
    resourceGroup: cut(resourceGroup),
    zone: cut(zone),
    name: cut(name),
  };
}

function pick({ name, kind, id, role }: NonNullable<AuditEntry['who']>): AuditEntry['who'] {
  return { name, kind, id, role };
}
