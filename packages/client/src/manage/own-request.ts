import { quote } from '../check-argument.ts';
import { type CallOptions, callHeaders, type HttpRequest, type JsonAnswer } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';

/** A write that only counts while the station is at a revision. */
export interface ConditionalOptions extends CallOptions {
  readonly ifRevision?: string | undefined;
}

export type OwnRequest = Omit<HttpRequest, 'canRepeat'> & { readonly canRepeat?: boolean };

/** Sends a request of Roster's own namespace; the value of the answer is an object that has `members`. */
export async function askRoster(
  transport: Transport,
  request: OwnRequest,
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
    throw answer.malformed(`JSON that has no ${quote(member)}: that is not Roster, or another version of it`);
  }
  return answer as JsonAnswer & { value: never };
}

/** Once such a request is done, sending it again is refused: its first answer must not get lost unseen. */
export function conditionally({
  ifRevision,
}: ConditionalOptions): Pick<HttpRequest, 'canRepeat' | 'headers'> {
  if (ifRevision === undefined) return { canRepeat: true };
  return { canRepeat: false, headers: { 'If-Match': `"${ifRevision}"` } };
}
