import { type ClientOptions, createClient, type RosterClient } from '@roster/client';

/** The one place where clients are made: whatever all requests have in common is said here. */
export function connect(acceptLanguage: string, more: Partial<ClientOptions> = {}): RosterClient {
  return createClient({
    baseUrl: location.origin,
    acceptLanguage,
    retries: 1,
    etagCache: { maxEntries: 30 },
    ...more,
  });
}
