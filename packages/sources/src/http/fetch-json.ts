import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { quote, shorten } from '@roster/contract';
import type { Auth, Endpoint, Secret } from '../config/source.ts';
import { isRefusedAddress } from './refused-address.ts';
import { SourceFailure } from './source-failure.ts';

/** 100 000 alerts with typical labels. A larger answer is refused before it takes memory. */
const maxBodyBytes = 64 * 1024 * 1024;

/** How a question is asked, which may take several requests. */
export interface Asking {
  readonly signal?: AbortSignal | undefined;
  /** When time is up for the whole question; without it, each request has the time limit of the endpoint. */
  readonly deadline?: AbortSignal;
  /** Called when a body is there and its thread is about to be held by parsing it. */
  readonly beforeParsing?: () => void;
}

export interface JsonRequest extends Asking {
  /** With the query. */
  readonly path: string;
  /** Sent as a POST; without it, the request is a GET. */
  readonly form?: URLSearchParams;
  readonly maxBytes?: number;
}

/** The parsed body of a successful answer. Throws `SourceFailure` for everything else. */
export async function fetchJson(endpoint: Endpoint, request: JsonRequest): Promise<unknown> {
  const { maxBytes = maxBodyBytes } = request;
  const giveUp = request.deadline ?? AbortSignal.timeout(endpoint.timeoutMs);
  const signal = request.signal === undefined ? giveUp : AbortSignal.any([giveUp, request.signal]);
  try {
    const response = await send(endpoint, request, signal);
    const isOk = response.statusCode === 200;
    requireAnswer(response, isOk);
    const text = await readBody(response, isOk ? maxBytes : 64 * 1024);
    request.beforeParsing?.();
    const body = parseJson(text, response, isOk);
    if (!isOk) throw refusal(response.statusCode!, request, body);
    return body;
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    if (giveUp.aborted) throw new SourceFailure(`did not answer within ${endpoint.timeoutMs / 1000} s`);
    throw new SourceFailure(explain(error as NodeJS.ErrnoException));
  }
}

function send(
  endpoint: Endpoint,
  { path, form }: JsonRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(`${endpoint.url}${path}`);
  if (!endpoint.allowLinkLocal) refuseAddress(url.hostname.replace(/^\[|\]$/g, ''));
  const body = form?.toString();
  const options: RequestOptions = {
    method: body === undefined ? 'GET' : 'POST',
    signal,
    agent: false,
    lookup: endpoint.allowLinkLocal ? lookup : guardedLookup,
    headers: {
      Accept: 'application/json',
      'Accept-Encoding': 'identity',
      ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...(endpoint.auth === undefined ? {} : { Authorization: authorization(endpoint.auth) }),
    },
  };
  return new Promise((resolve, reject) => {
    const sent =
      url.protocol === 'https:'
        ? https.request(url, { ...options, ...tlsOptions(endpoint) })
        : http.request(url, options);
    // An answer such as 101 is neither a response nor an error.
    const close = () => reject(new SourceFailure('broke off the connection'));
    sent.once('response', resolve).once('error', reject).once('close', close).end(body);
  });
}

function tlsOptions({ tls }: Endpoint): https.RequestOptions {
  if (tls === undefined) return {};
  const { ca, cert, key, insecure } = tls;
  return {
    ...(ca === undefined ? {} : { ca: readText(ca) }),
    ...(cert === undefined ? {} : { cert: readText(cert) }),
    ...(key === undefined ? {} : { key: readText(key) }),
    rejectUnauthorized: !insecure,
  };
}

function authorization(auth: Auth): string {
  if ('bearer' in auth) return `Bearer ${readSecret(auth.bearer)}`;
  return `Basic ${Buffer.from(`${auth.username}:${readSecret(auth.password)}`).toString('base64')}`;
}

function readSecret(secret: Secret): string {
  const text = 'file' in secret ? readText(secret.file).trim() : (process.env[secret.env] ?? '');
  // Others would be refused by Node.js with a message that repeats them.
  if (/^[\x20-\x7e]+$/.test(text)) return text;
  const where = 'file' in secret ? `the file ${quote(secret.file)}` : `the variable ${secret.env}`;
  throw new SourceFailure(`cannot be asked: ${where} must hold one line of printable characters`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SourceFailure(`cannot be asked: the file ${quote(file)} cannot be read (${code})`);
  }
}

type Found = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Looks at what a name stands for each time it is used: it may change. */
function guardedLookup(host: string, options: LookupOptions, done: Found): void {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, []);
    try {
      for (const { address } of found) refuseAddress(address);
    } catch (refusal) {
      return done(refusal as Error, []);
    }
    if (options.all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  });
}

function refuseAddress(address: string): void {
  if (!isRefusedAddress(address)) return;
  throw new SourceFailure(
    `is at ${address}, a link-local or metadata address; set allow_link_local if that is meant`,
  );
}

function requireAnswer({ statusCode = 0, headers }: IncomingMessage, isOk: boolean): void {
  if (statusCode >= 300 && statusCode < 400) {
    throw new SourceFailure(
      `answered ${statusCode}: redirects are not followed; configure the final address`,
    );
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (isOk && encoding !== 'identity')
    throw new SourceFailure(`answered with the encoding ${quote(encoding)}`);
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const refuse = () => new SourceFailure(`answered with more than ${maxBytes} bytes`);
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw refuse();
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw refuse();
      chunks.push(chunk);
    }
  } finally {
    response.destroy();
  }
  if (!response.complete) throw new SourceFailure('broke off its answer');
  return Buffer.concat(chunks, size).toString();
}

function parseJson(text: string, { headers }: IncomingMessage, isOk: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (!isOk) return undefined;
    const type = headers['content-type'] ?? 'no content type';
    throw new SourceFailure(`answered with ${quote(type)} that is not JSON; is the url right?`);
  }
}

function refusal(status: number, { path }: JsonRequest, body: unknown): SourceFailure {
  const [at] = path.split('?');
  const hint = status === 404 ? ` at ${at}; is it the right server, and does its url end before /api?` : '';
  return new SourceFailure(`answered ${status}${hint || reasonIn(body)}`);
}

/** Prometheus has `{error}` or a text in its errors, Alertmanager `{message}` or a text. */
function reasonIn(body: unknown): string {
  const { error, message } = Object(body) as { error?: unknown; message?: unknown };
  const reason = [error, message, body].find((each) => typeof each === 'string');
  return reason === undefined ? '' : `: ${quote(shorten(String(reason), 200))}`;
}

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'broke off the connection',
  ENOTFOUND: 'cannot be reached: host name not found',
  EAI_AGAIN: 'cannot be reached: the lookup of its host name failed',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'cannot be reached',
};

/** The messages of Node.js may have addresses and headers in them; its codes do not. */
function explain({ code, name }: NodeJS.ErrnoException): string {
  if (name === 'AbortError') return 'was interrupted';
  const known = explanations[code ?? ''];
  return known ?? `cannot be asked (${code ?? 'unknown error'})`;
}
