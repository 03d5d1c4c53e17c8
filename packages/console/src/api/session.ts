import { createClient, isDenied, isUnauthorized, type Principal, type Session } from '@roster/client';
import { useSyncExternalStore } from 'react';
import { type Action, mayDo } from './permissions.ts';
import { queryClient } from './query-client.ts';

/** The sign-in state of the console. */
export interface ConsoleSession {
  /** Undefined until the server has answered. */
  readonly facts: Session | undefined;
  /** Why the last request for it failed. */
  readonly error: unknown;
  /** Whether the session has ended. The view is kept until the user signs in again. */
  readonly hasEnded: boolean;
  /** Counts sign-ins, to tell requests before one from requests after. */
  readonly run: number;
}

/** Browsers treat longer timeouts as 0. */
const longestTimerMs = 2 ** 31 - 1;
const retryMs = 1_500;

const { manage } = createClient({ baseUrl: location.origin, retries: 0 });
const listeners = new Set<() => void>();
let current: ConsoleSession = { facts: undefined, error: undefined, hasEnded: false, run: 0 };
let expiry: ReturnType<typeof setTimeout> | undefined;

function change(part: Partial<ConsoleSession>): void {
  current = { ...current, ...part };
  for (const listener of listeners) listener();
}

/** Asks for the session until the server answers. */
export async function startSession(): Promise<void> {
  try {
    begin(await readSession());
  } catch (error) {
    change({ error });
    setTimeout(() => void startSession(), retryMs);
  }
}

/** Drops an expired cookie, which would fail the request for the ways to sign in. */
async function readSession(): Promise<Session> {
  try {
    return await manage.session();
  } catch (error) {
    if (!isDenied(error)) throw error;
    await manage.signOut();
    return manage.session();
  }
}

/** Stores the token in a cookie that scripts cannot read, and nowhere else. */
export async function signIn(token: string): Promise<void> {
  begin(await manage.signIn(token));
}

/** Checks whether another window has signed in. */
export async function checkSession(): Promise<boolean> {
  const facts = await manage.session().catch(() => undefined);
  if (!facts?.principal) return false;
  if (current.hasEnded || !current.facts?.principal) begin(facts);
  return true;
}

export async function signOut(): Promise<void> {
  await manage.signOut();
  queryClient.clear();
  begin(await readSession());
}

/** If the same user signs in again, only failed queries are repeated. */
function begin(facts: Session): void {
  const before = current.facts?.principal;
  const isSame =
    before != null && facts.principal !== null && identityOf(before) === identityOf(facts.principal);
  change({ facts, hasEnded: false, run: current.run + 1 });
  watchExpiry(facts.principal);
  if (isSame)
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  else void queryClient.resetQueries();
}

function identityOf({ name, kind, role, scopes }: Principal): string {
  return JSON.stringify([name, kind, role, scopes]);
}

function watchExpiry(principal: Principal | null): void {
  clearTimeout(expiry);
  if (!principal?.expires_at) return;
  const leftMs = Date.parse(principal.expires_at) - Date.now();
  if (leftMs < longestTimerMs) expiry = setTimeout(endIfRefused, Math.max(0, leftMs) + 1_000);
}

async function endIfRefused(): Promise<void> {
  const { run } = current;
  const isRefused = await manage.session().then(
    ({ principal }) => principal === null,
    (error) => isUnauthorized(error),
  );
  if (isRefused) endSession(run);
}

/** Handles a 401; one from before the last sign-in is ignored. */
export function endSession(run: number): void {
  if (run === current.run && current.facts?.principal && !current.hasEnded) change({ hasEnded: true });
}

export function currentSession(): ConsoleSession {
  return current;
}

export function useConsoleSession(): ConsoleSession {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** The permissions of the user. The console hides other actions. */
export interface Permissions {
  readonly principal: Principal | null;
  /** Whether callers need a token. */
  readonly needsToken: boolean;
  may(action: Action): boolean;
}

export function useSession(): Permissions {
  const { facts } = useConsoleSession();
  const principal = facts?.principal ?? null;
  return {
    principal,
    needsToken: facts?.authentication === 'required',
    may: (action) =>
      facts?.authentication === 'off'
        ? action !== 'manage_tokens'
        : principal !== null && mayDo(principal, action),
  };
}
