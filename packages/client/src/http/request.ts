import type { RosterClientError } from '../errors.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Overrides the setting of the client for this call. */
  readonly timeoutMs?: number | undefined;
  /** Overrides the setting of the client for this call. */
  readonly acceptLanguage?: string | undefined;
}

export interface ReadOptions extends CallOptions {
  /** The snapshot to read, from an earlier answer. */
  readonly revision?: string | undefined;
}

export type RequestBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** The path after the base URL. */
  readonly path: string;
  readonly search?: URLSearchParams | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly options?: CallOptions | undefined;
  /** Whether the request is idempotent. */
  readonly canRepeat: boolean;
  /** Whether to cache the answer. */
  readonly canCache?: boolean;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if the answer has no body. */
  readonly value: unknown;
  /** Creates the error for a response that does not follow the interface. */
  readonly malformed: Malformed;
}

/** Quotes the start of `body`, if given. */
export type Malformed = (got: string, body?: string) => RosterClientError;

export const revisionHeader = 'Roster-Revision';

/** The headers for the options of a call. */
export function callHeaders({ acceptLanguage, revision }: ReadOptions): Record<string, string> {
  return {
    ...(acceptLanguage === undefined ? {} : { 'Accept-Language': acceptLanguage }),
    ...(revision === undefined ? {} : { [revisionHeader]: revision }),
  };
}
