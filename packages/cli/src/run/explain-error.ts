import type { HttpError } from '@roster/client';
import { CommandError, UsageError } from '../command/errors.ts';
import { exitCodes } from '../command/exit-codes.ts';
import { explainRemoval, flagOfParameter } from '../command/wire-to-flags.ts';
import { escapeUnprintable } from '../terminal/escape-unprintable.ts';

export interface Explanation {
  /** One line: the error and what to do. */
  readonly message: string;
  readonly exitCode: number;
  /** Shown with `--verbose`. */
  readonly details: readonly string[];
}

/** `words` are those of the command line, on which the advice depends. */
export async function explainError(error: unknown, words: readonly string[]): Promise<Explanation> {
  const { message, exitCode } = await findExplanation(error, words);
  return { message: escapeUnprintable(message), exitCode, details: detailsOf(error).map(escapeUnprintable) };
}

async function findExplanation(
  error: unknown,
  words: readonly string[],
): Promise<{ message: string; exitCode: number }> {
  if (error instanceof UsageError) {
    return { message: `${error.message}${await suggest(error)}`, exitCode: error.exitCode };
  }
  if (error instanceof CommandError) return error;
  const client = await import('@roster/client');
  if (error instanceof client.HttpError) return explainRefusal(error, words);
  if (error instanceof client.RosterClientError) return explainFailure(error.code, error.message);
  const { RosterError } = await import('@roster/contract');
  if (error instanceof RosterError) return { message: error.message, exitCode: exitCodes.error };
  const message = error instanceof Error ? error.message : String(error);
  return { message: `unexpected: ${message}; --verbose shows more`, exitCode: exitCodes.error };
}

async function suggest({ mistake }: UsageError): Promise<string> {
  if (mistake === undefined) return '';
  const { nearestName } = await import('@roster/contract');
  const nearest = nearestName(mistake.given, mistake.known);
  if (nearest !== undefined) return `; did you mean ${nearest}?`;
  return mistake.otherwise === undefined ? '' : `; ${mistake.otherwise}`;
}

const giveToken = 'pass --token, set ROSTER_TOKEN, or save a token with roster context set';

function explainRefusal(error: HttpError, words: readonly string[]): { message: string; exitCode: number } {
  const { status, detail } = error;
  const isOurs = error.code !== 'http_error';
  if (status === 401) {
    // The header is not for people at a terminal.
    const why = detail.replace(': send Authorization: Bearer <token>', '');
    return { message: `${why}; ${giveToken}`, exitCode: exitCodes.denied };
  }
  if (status === 403) {
    return {
      message: `${detail}; ask an administrator for a token with more rights`,
      exitCode: exitCodes.denied,
    };
  }
  if (status === 404) {
    const message = isOurs
      ? `${detail}${remedyOf(error, words)}`
      : `${error.message}; check the station and --server`;
    return { message, exitCode: exitCodes.notFound };
  }
  const message = isOurs ? `${inOurWords(error)}${remedyOf(error, words)}` : error.message;
  if (isUnavailable(status)) return { message, exitCode: exitCodes.unreachable };
  const isBadFlag = status === 400 && flagOfParameter(error.parameter) !== undefined;
  return { message, exitCode: isBadFlag ? exitCodes.usage : exitCodes.error };
}

/** The server, or the proxy in front of it, cannot answer now. */
function isUnavailable(status: number): boolean {
  return status >= 502 && status <= 504;
}

function inOurWords({ code, detail, parameter }: HttpError): string {
  if (code === 'removal_refused') return explainRemoval(detail);
  // What follows is advice for requests, not for commands.
  if (code === 'revision_mismatch' || code === 'revision_expired') return detail.split('; ', 1)[0]!;
  const flag = flagOfParameter(parameter);
  return flag === undefined || !detail.startsWith(`${parameter} `)
    ? detail
    : flag + detail.slice(parameter!.length);
}

const remedies: Readonly<Record<string, string>> = {
  station_not_found: '; see roster stations',
  resource_not_found: '; roster list --text finds resources by name',
  route_not_found: '; the server may be another version of Roster',
  token_not_found: '; see roster token list',
  type_not_found: '; see roster types list',
  view_not_found: '; see roster view list',
  removal_refused: '; roster diff shows what would be removed',
  type_mismatch: '; someone else changed it: check it and try again',
  revision_expired: '; start over',
  store_unavailable: '; try again',
  shutting_down: '; try again',
};

/** Nothing where the server suggests what was meant. */
function remedyOf({ code, detail, retryAfterMs, extensions }: HttpError, words: readonly string[]): string {
  if (detail.endsWith('?')) return '';
  if (code === 'revision_mismatch') return remedyOfMismatch(extensions.revision, words);
  if (code === 'station_not_found' && words[0] === 'import') return remedyOfImport(words);
  if (code === 'revision_expired' && words.includes('--since'))
    return '; without --since you get all that is kept';
  const remedy = remedies[code];
  if (remedy !== undefined) return remedy;
  return retryAfterMs === undefined ? '' : `; try again in ${Math.ceil(retryAfterMs / 1000)} s`;
}

function remedyOfMismatch(revision: unknown, [command]: readonly string[]): string {
  const isImport = command === 'import';
  const advice = isImport ? 'run roster diff to see what would change now' : 'check the station again';
  return `; ${advice}, then pass --if-revision ${revision ?? 'REVISION'}`;
}

function remedyOfImport(words: readonly string[]): string {
  return `; see roster stations${words.includes('--create') ? '; a dry run creates none' : ', or add --create'}`;
}

function explainFailure(code: string, message: string): { message: string; exitCode: number } {
  switch (code) {
    case 'invalid_argument':
      return { message, exitCode: exitCodes.usage };
    case 'network_failure':
      return {
        message: `${withoutPath(message)}; ${unreachableRemedy(message)}`,
        exitCode: exitCodes.unreachable,
      };
    case 'timeout':
      return { message: `${message}; --timeout allows more time`, exitCode: exitCodes.unreachable };
    case 'malformed_answer':
      return {
        message: `${message}; is --server the URL of such a server, and not of a proxy?`,
        exitCode: exitCodes.error,
      };
    default:
      return { message, exitCode: exitCodes.error };
  }
}

/** An HTTPS server asked without TLS closes the connection or answers with something other than HTTP. */
function unreachableRemedy(message: string): string {
  if (isPlainHttp.test(message)) return 'its URL must start with http://';
  if (isForeignAuthority.test(message)) {
    return 'for a private authority, set NODE_EXTRA_CA_CERTS=/path/to/ca.pem';
  }
  const mayBeHttps = /^[A-Z]+ http:.* failed: .*(socket hang up|ECONNRESET|Parse Error)/s.test(message);
  return mayBeHttps
    ? 'if the server uses HTTPS, its URL must start with https://'
    : 'is the server running, and is --server or ROSTER_SERVER correct?';
}

const isPlainHttp = /wrong version number|packet length too long/;
const isForeignAuthority = /self[- ]signed certificate|unable to (get|verify)|local issuer/;

/** Turns `GET http://host/path failed: reason` into `cannot reach http://host: reason`. */
function withoutPath(message: string): string {
  const [, url, reason] = /^[A-Z]+ (\S+) failed: (.*)$/s.exec(message) ?? [];
  return url === undefined ? message : `cannot reach ${new URL(url).origin}: ${inPlainWords(reason!)}`;
}

/** OpenSSL names its source files, and Node.js options that are not for this command. */
function inPlainWords(reason: string): string {
  if (isPlainHttp.test(reason)) return 'the server does not use TLS';
  return isForeignAuthority.test(reason) ? reason.replace(/; .*/s, '') : reason;
}

function detailsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { status, code, requestId } = error as Partial<HttpError>;
  const details: string[] = [];
  if (status !== undefined) details.push(`status: ${status}`);
  if (code !== undefined) details.push(`code: ${code}`);
  if (requestId !== undefined) details.push(`request: ${requestId}`);
  if (code !== undefined) details.push(`message: ${error.message}`);
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    details.push(`cause: ${cause.message || (cause as NodeJS.ErrnoException).code}`);
  }
  const isExpected = error instanceof CommandError || code !== undefined;
  if (!isExpected) details.push(...(error.stack ?? '').split('\n').slice(1));
  return details;
}
