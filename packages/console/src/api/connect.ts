import { type ClientOptions, createClient, type Fetch, type RosterClient } from '@roster/client';
import { noteAnswer } from './connection.ts';
import { currentSession, endSession } from './session.ts';

/** Creates clients; the only place for settings that all requests share. */
export function connect(acceptLanguage: string, more: Partial<ClientOptions> = {}): RosterClient {
  return createClient({
    baseUrl: location.origin,
    acceptLanguage,
    retries: 1,
    etagCache: { maxEntries: 30 },
    ...more,
    fetch: noticingEnds(more.fetch ?? ((url, init) => fetch(url, init))),
  });
}

/** The first 401 ends the session; nothing more is sent until the next sign-in. */
export function noticingEnds(send: Fetch): Fetch {
  return async (url, init) => {
    const { run, hasEnded } = currentSession();
    if (hasEnded) return new Response(null, { status: 401 });
    const response = await send(url, init);
    // A proxy answers for a server that is gone with 502 to 504.
    if (response.status < 500) noteAnswer();
    if (response.status === 401) endSession(run);
    return response;
  };
}
