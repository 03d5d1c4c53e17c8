import type { IncomingMessage } from 'node:http';
import { limits, operations, type StationAddress, shorten, stationPath } from '@roster/contract';
import { contextOf } from '../http/request-context.ts';
import type { ClientOf } from '../protection/trusted-proxies.ts';

/** One write or one denial: who did what, from where, and how it ended. */
export interface AuditEntry {
  readonly time: string;
  readonly event: 'write' | 'denial';
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
  readonly status: number;
  readonly code?: string;
  readonly revision?: string;
  readonly request_id: string;
}

export interface AuditedOutcome {
  readonly status: number;
  readonly code?: string | undefined;
  readonly revision?: string | undefined;
}

export interface AuditOptions {
  readonly write: (entry: AuditEntry) => void;
  readonly clientOf: ClientOf;
}

/** Nothing was looked at, and whoever floods the server shall not flood its records too. */
const tooManyRequests = 429;

/** Keeps a record of every write and of everything that was denied. */
export class Audit {
  readonly #options: AuditOptions;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /** To be called with every outcome; those that are neither a write nor a denial are passed over. */
  record(request: IncomingMessage, { status, code, revision }: AuditedOutcome): void {
    const { operation, principal, address, target, requestId, isDryRun } = contextOf(request);
    if (operation === undefined || status === tooManyRequests) return;
    const isDenial = status === 401 || status === 403;
    if (!isDenial && (operations[operation].method === 'GET' || isDryRun)) return;
    this.#options.write({
      time: new Date().toISOString(),
      event: isDenial ? 'denial' : 'write',
      operation,
      who: principal === undefined ? null : pick(principal),
      from: this.#options.clientOf(request).address,
      ...(address && { station: stationPath(shortenNames(address)) }),
      ...(target && { target: shorten(target, limits.maxIdLength) }),
      status,
      ...(code && { code }),
      ...(revision && { revision }),
      request_id: requestId,
    });
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
