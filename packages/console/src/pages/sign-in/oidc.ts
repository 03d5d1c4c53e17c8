import { checkSession } from '../../api/session.ts';
import type { Messages } from '../../messages/messages.ts';

export type SignInError = keyof Messages['access']['signInErrors'];

const errorMark = /^#sign-in=(\w+)$/;
const pollMs = 1_000;

/** Link to the identity provider that returns to the current view. */
export function oidcHref(path: string, returnTo = location.pathname + location.search): string {
  return `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}

/** Reads the sign-in error from the URL, and removes it there. */
export function takeSignInError(): SignInError | undefined {
  const mark = errorMark.exec(location.hash)?.[1];
  if (mark === undefined) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  const known: Record<SignInError, true> = {
    cancelled: true,
    no_role: true,
    stale: true,
    too_large: true,
    unavailable: true,
    failed: true,
  };
  return mark in known ? (mark as SignInError) : 'failed';
}

/** Signs in in a new window to keep the view; if pop-ups are blocked, redirects and returns. */
export function signInBeside(path: string): () => void {
  const beside = open(oidcHref(path, '/signed-in'), 'roster-sign-in', 'popup,width=520,height=720');
  if (beside === null) location.assign(oidcHref(path));
  // The window cannot be read while it shows another origin, so the server is polled instead.
  const timer = setInterval(async () => {
    if (await checkSession()) clearInterval(timer);
  }, pollMs);
  return () => clearInterval(timer);
}
