import { checkCount, quote, refuseUnknownMembers } from './check-argument.ts';
import { invalidArgument } from './errors.ts';
import type { ListDelimiter } from './query/list-query.ts';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** URL of the server, such as `https://roster.example.com`; may include a path. */
  readonly baseUrl: string | URL;
  /** Sent as a bearer token. A function is called before every request. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Sent with every request, for example for other credentials than a bearer token. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: Fetch | undefined;
  /** Time limit of one attempt, and of silence in a stream. 30 000 unless given; 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** How often to repeat a failed idempotent call. 2 unless given. */
  readonly retries?: number | undefined;
  /** Longest `Retry-After` to wait for. 30 000 unless given. */
  readonly maxRetryAfterMs?: number | undefined;
  /** `comma` unless given. */
  readonly listDelimiter?: ListDelimiter | undefined;
  /** Language of the type labels. */
  readonly acceptLanguage?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Caches small answers and revalidates them. Off unless given. */
  readonly etagCache?: boolean | { readonly maxEntries: number } | undefined;
}

export interface ClientSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: () => string | undefined | Promise<string | undefined>;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxRetryAfterMs: number;
  readonly listDelimiter: ListDelimiter;
  /** 0 turns the cache off. */
  readonly maxCacheEntries: number;
}

const memberNames = [
  'baseUrl',
  'token',
  'headers',
  'fetch',
  'timeoutMs',
  'retries',
  'maxRetryAfterMs',
  'listDelimiter',
  'acceptLanguage',
  'userAgent',
  'etagCache',
];
const defaultCacheEntries = 100;
const maxTimeoutMs = 2 ** 31 - 1;

export function readClientOptions(options: ClientOptions): ClientSettings {
  refuseUnknownMembers('the client options', options, memberNames);
  const { token, fetch: given, listDelimiter = 'comma' } = options;
  if (listDelimiter !== 'comma' && listDelimiter !== 'repeat') {
    throw invalidArgument(`listDelimiter must be comma or repeat, got ${quote(listDelimiter)}`);
  }
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    token: typeof token === 'function' ? token : () => token,
    headers: readHeaders(options),
    fetch: given ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: checkCount('timeoutMs', options.timeoutMs ?? 30_000, maxTimeoutMs),
    retries: checkCount('retries', options.retries ?? 2, 100),
    maxRetryAfterMs: checkCount('maxRetryAfterMs', options.maxRetryAfterMs ?? 30_000, maxTimeoutMs),
    listDelimiter,
    maxCacheEntries: readCacheSize(options.etagCache),
  };
}

function readBaseUrl(given: string | URL): string {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalidArgument('baseUrl must be an absolute URL with http or https');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidArgument('baseUrl must not contain credentials; use token or headers');
  }
  if (url.search !== '' || url.hash !== '') {
    throw invalidArgument(`baseUrl must not have a query or fragment, got ${quote(url.href)}`);
  }
  return url.href.replace(/\/+$/, '');
}

function readHeaders({ headers, acceptLanguage, userAgent }: ClientOptions): Record<string, string> {
  const all: Record<string, string> = {};
  if (acceptLanguage !== undefined) all['Accept-Language'] = acceptLanguage;
  if (userAgent !== undefined) all['User-Agent'] = userAgent;
  Object.assign(all, headers);
  for (const [name, value] of Object.entries(all)) checkHeader(name, value);
  return all;
}

/** Checked here because the error of `fetch` would repeat the value, which may be a secret. */
export function checkHeader(name: string, value: unknown): void {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    throw invalidArgument(`${quote(name)} is not a valid header name`);
  }
  if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw invalidArgument(`the header ${name} must be a single line of Latin-1 text`);
  }
}

function readCacheSize(given: ClientOptions['etagCache']): number {
  if (typeof given === 'object') return checkCount('etagCache.maxEntries', given.maxEntries);
  return given === true ? defaultCacheEntries : 0;
}
