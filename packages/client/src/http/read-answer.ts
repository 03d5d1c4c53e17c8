import { HttpError, RosterClientError } from '../errors.ts';
import type { Malformed } from './request.ts';
import { parseRetryAfter } from './retry.ts';

/** A request as error messages describe it. */
export interface RequestFacts {
  readonly method: string;
  readonly url: string;
  /** Removes secrets. */
  readonly redact: (text: string) => string;
}

const excerptLength = 120;

/** Parses a successful body. Accepts JSON labelled as plain text, as some servers send it. */
export function parseJson(response: Response, text: string, facts: RequestFacts): unknown {
  const mediaType = mediaTypeOf(response);
  const malformed = malformedAnswer(response, facts);
  const isLabelledJson = /[/+]json$/.test(mediaType);
  if (!isLabelledJson && mediaType !== '' && mediaType !== 'text/plain') {
    throw malformed(`${mediaType} instead of JSON`, text);
  }
  try {
    return JSON.parse(text);
  } catch {
    if (!isLabelledJson) throw malformed(`${mediaType || 'something'} instead of JSON`, text);
    const end = facts.redact(text).slice(-excerptLength);
    throw malformed('invalid or truncated JSON, which ends in', end);
  }
}

export function malformedAnswer({ status }: Response, { method, url, redact }: RequestFacts): Malformed {
  return (got, body) => {
    // Redacts before cutting, or the start of a secret might remain.
    const shown = body === undefined ? '' : `: ${excerpt(redact(body))}`;
    const message = `${method} ${url} answered ${status} with ${got}${shown}`;
    return new RosterClientError('malformed_answer', message);
  };
}

/** The error for an unsuccessful response, whatever its body. */
export async function readHttpError(response: Response, facts: RequestFacts): Promise<HttpError> {
  const text = facts.redact(await response.text());
  const problem = parseProblem(text);
  const { status, headers } = response;
  const { type, title, status: _, detail: __, code, request_id, parameter, ...extensions } = problem ?? {};
  const detail = (problem && detailOf(problem)) ?? fallbackDetail(response, text);
  const codeText = typeof code === 'string' ? code : 'http_error';
  const message = `${facts.method} ${facts.url} answered ${status}${code ? ` ${code}` : ''}: ${detail}`;
  return new HttpError(message, {
    status,
    code: codeText,
    detail,
    parameter: stringOf(parameter),
    requestId: stringOf(request_id) ?? headers.get('x-request-id') ?? undefined,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()),
    extensions,
  });
}

function parseProblem(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Problem documents have `detail`; other servers use `message` or `error`. */
function detailOf({ detail, message, error, title }: Record<string, unknown>): string | undefined {
  const nested = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return stringOf(detail) ?? stringOf(message) ?? stringOf(nested) ?? stringOf(title);
}

function fallbackDetail(response: Response, text: string): string {
  if (text === '') return response.statusText || 'no body';
  return `${mediaTypeOf(response) || 'a body'} ${excerpt(text)}`;
}

export function mediaTypeOf(response: Response): string {
  return (response.headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();
}

function excerpt(text: string): string {
  const line = text
    .slice(0, excerptLength * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return JSON.stringify(line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line);
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
