import { checkSession } from '../../api/session.ts';
import type { Messages } from '../../messages/messages.ts';

export type SignInFault = keyof Messages['access']['faults'];

const faultMark = /^#sign-in=(\w+)$/;
const pollMs = 1_000;

/** The way to the identity provider and back to the view that is on the screen. */
export function oidcHref(path: string, returnTo = location.pathname + location.search): string {
  return `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}

/** Why the way back from the identity provider ended here, which the address tells once. */
export function takeSignInFault(): SignInFault | undefined {
  const mark = faultMark.exec(location.hash)?.[1];
  if (mark === undefined) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  const known: Record<SignInFault, true> = {
    cancelled: true,
    no_role: true,
    stale: true,
    too_large: true,
    unavailable: true,
    failed: true,
  };
  return mark in known ? (mark as SignInFault) : 'failed';
}

/** Signs in beside the view, so that it stays. Where no window can be opened, the view is come back to. */
export function signInBeside(path: string): () => void {
  const beside = open(oidcHref(path, '/signed-in'), 'roster-sign-in', 'popup,width=520,height=720');
  if (beside === null) location.assign(oidcHref(path));
  // The window is out of reach while it is elsewhere, so the server is asked instead.
  const timer = setInterval(async () => {
    if (await checkSession()) clearInterval(timer);
  }, pollMs);
  return () => clearInterval(timer);
}
