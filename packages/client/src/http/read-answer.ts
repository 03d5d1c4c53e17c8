import { HttpError, RosterClientError } from '../errors.ts';
import { parseRetryAfter } from './retry.ts';

/** What a message says of a request. */
export interface RequestFacts {
  readonly method: string;
  readonly url: string;
  /** Replaces what must not be shown. */
  readonly redact: (text: string) => string;
}

const excerptLength = 120;

/** Parses the body of a success. Plain text counts as JSON when it is: some servers label it so. */
export function parseJson(response: Response, text: string, facts: RequestFacts): unknown {
  const mediaType = mediaTypeOf(response);
  if (!/^$|^text\/plain$|[/+]json$/.test(mediaType)) throw malformed(response, facts, { mediaType, text });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(response, facts, { mediaType, text, cause });
  }
}

interface UnreadableBody {
  readonly mediaType: string;
  readonly text: string;
  readonly cause?: unknown;
}

function malformed(
  response: Response,
  { method, url, redact }: RequestFacts,
  { mediaType, text, cause }: UnreadableBody,
): RosterClientError {
  const isLabelledJson = /[/+]json$/.test(mediaType);
  const got = isLabelledJson
    ? 'JSON that is broken or cut off'
    : `${mediaType || 'something'} instead of JSON`;
  const tail = isLabelledJson && text.length > excerptLength;
  const shown = tail ? `which ends in ${excerpt(redact(text).slice(-excerptLength))}` : excerpt(redact(text));
  return new RosterClientError(
    'malformed_answer',
    `${method} ${url} answered ${response.status} with ${got}: ${shown}`,
    { cause },
  );
}

/** The error that an unsuccessful answer stands for, whatever its body is. */
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

/** Problem documents have `detail`; other servers say it in `message`, or in an `error`. */
function detailOf({ detail, message, error, title }: Record<string, unknown>): string | undefined {
  const nested = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return stringOf(detail) ?? stringOf(message) ?? stringOf(nested) ?? stringOf(title);
}

function fallbackDetail(response: Response, text: string): string {
  if (text === '') return response.statusText || 'no body';
  return `${mediaTypeOf(response) || 'a body'} ${excerpt(text)}`;
}

function mediaTypeOf(response: Response): string {
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
