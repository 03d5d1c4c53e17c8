import { quote } from '../check-argument.ts';
import { type CallOptions, callHeaders, type HttpRequest, type JsonAnswer } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';

/** A write that requires a revision of the station. */
export interface ConditionalOptions extends CallOptions {
  readonly ifRevision?: string | undefined;
}

export type RosterRequest = Omit<HttpRequest, 'canRepeat'> & { readonly canRepeat?: boolean };

/** Sends a roster API request, and checks that the answer is an object with `members`. */
export async function askRoster(
  transport: Transport,
  request: RosterRequest,
  members: readonly string[],
): Promise<JsonAnswer & { value: never }> {
  const headers = { ...callHeaders(request.options ?? {}), ...request.headers };
  const answer = await transport.json({
    canRepeat: true,
    ...request,
    path: `/roster/v1${request.path}`,
    headers,
  });
  for (const member of members) {
    if (typeof answer.value === 'object' && answer.value !== null && member in answer.value) continue;
    throw answer.malformed(`JSON without ${quote(member)}: not a Roster server, or another version`);
  }
  return answer as JsonAnswer & { value: never };
}

/** Not repeated: a second attempt would be refused and hide the result of the first. */
export function conditionally({
  ifRevision,
}: ConditionalOptions): Pick<HttpRequest, 'canRepeat' | 'headers'> {
  if (ifRevision === undefined) return { canRepeat: true };
  return { canRepeat: false, headers: { 'If-Match': `"${ifRevision}"` } };
}

/** A write that requires a version of what is written. */
export interface VersionOptions extends CallOptions {
  /** Null requires that it does not exist. */
  readonly ifVersion?: string | null | undefined;
}

/** Not repeated: a second attempt would be refused and hide the result of the first. */
export function atVersion({ ifVersion }: VersionOptions): Pick<RosterRequest, 'canRepeat' | 'headers'> {
  if (ifVersion === undefined) return {};
  const headers: Record<string, string> =
    ifVersion === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${ifVersion}"` };
  return { canRepeat: false, headers };
}

export function jsonBody(value: unknown): { body: string; headers: Record<string, string> } {
  return { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } };
}
