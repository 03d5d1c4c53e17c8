import type { RosterClientError } from '../errors.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For this call alone, instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** For this call alone, instead of the client's. */
  readonly acceptLanguage?: string | undefined;
}

export interface ReadOptions extends CallOptions {
  /** Reads the snapshot that an earlier answer named. */
  readonly revision?: string | undefined;
}

export type RequestBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** From `/` on, behind the base URL. */
  readonly path: string;
  readonly search?: URLSearchParams | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly options?: CallOptions | undefined;
  /** Whether sending it twice does no more than sending it once. */
  readonly canRepeat: boolean;
  /** Whether the answer is worth keeping. */
  readonly canCache?: boolean;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the answer has no body. */
  readonly value: unknown;
  /** The error that says what came instead of what the interface promises. */
  readonly malformed: Malformed;
}

/** Shows the beginning of `body` where it is given. */
export type Malformed = (got: string, body?: string) => RosterClientError;

export const revisionHeader = 'Roster-Revision';

/** The headers of a call, from what its options ask for. */
export function callHeaders({ acceptLanguage, revision }: ReadOptions): Record<string, string> {
  return {
    ...(acceptLanguage === undefined ? {} : { 'Accept-Language': acceptLanguage }),
    ...(revision === undefined ? {} : { [revisionHeader]: revision }),
  };
}
