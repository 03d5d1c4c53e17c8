import { limits, operations, RosterError } from '@roster/contract';
import {
  decodeAttempt,
  encodeAttempt,
  SignInFailure,
  safeReturnPath,
} from '../../access/oidc/sign-in-attempt.ts';
import { makeSessionCookie, readCookie } from '../../access/session-cookie.ts';
import type { Answer, Handlers } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { OperationOptions } from '../operation-options.ts';

/** With https, no other host can set the cookie: browsers keep the prefix for cookies of the whole host. */
const attemptCookies = {
  secure: { name: '__Host-roster_sign_in', attributes: 'Path=/; Secure' },
  plain: { name: 'roster_sign_in', attributes: `Path=${operations.beginSignIn.path}` },
} as const;
const attemptSeconds = 600;

/** Signs people in with an issuer. The browser always returns to where it was; the fragment says why it failed. */
export function oidcOperations({
  signIn,
  audit,
  logger,
}: OperationOptions): Pick<Handlers, 'beginSignIn' | 'finishSignIn'> {
  const attemptCookieOf = ({ isSecure }: Exchange) => attemptCookies[isSecure ? 'secure' : 'plain'];
  const attemptCookie = (exchange: Exchange, value: string, seconds: number) => {
    const { name, attributes } = attemptCookieOf(exchange);
    return `${name}=${value}; ${attributes}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  };
  const giveUp = (exchange: Exchange, returnTo: string, error: unknown): Answer => {
    const { code, message } = asFailure(error);
    // Without an issuer, someone is only looking around.
    if (signIn !== undefined)
      logger.warn({ code, reason: message }, 'someone could not sign in with the issuer');
    if (code === 'no_role') audit.record([{ exchange, outcome: { status: 403, code: 'forbidden' } }]);
    return redirectTo(`${returnTo.replace(/#.*/s, '')}#sign-in=${code}`);
  };

  return {
    async beginSignIn(exchange) {
      const returnTo = safeReturnPath(new URLSearchParams(exchange.search).get('return_to') ?? undefined);
      try {
        if (signIn === undefined)
          throw new SignInFailure('failed', 'OpenID Connect sign-in is not configured');
        const redirectUri = exchange.client.origin + operations.finishSignIn.path;
        const { location, attempt } = await signIn.begin(redirectUri, returnTo);
        const cookie = attemptCookie(exchange, encodeAttempt(attempt), attemptSeconds);
        return { ...redirectTo(location.href), cookies: [cookie] };
      } catch (error) {
        return giveUp(exchange, returnTo, error);
      }
    },

    async finishSignIn(exchange) {
      const attempt = decodeAttempt(readCookie(exchange.request, attemptCookieOf(exchange).name));
      const spent = attemptCookie(exchange, '', 0);
      try {
        if (signIn === undefined || attempt === undefined) {
          throw new SignInFailure('stale', 'the browser started no sign-in here, or too long ago');
        }
        const { credential, principal } = await signIn.finish(
          new URL(exchange.request.url!, exchange.client.origin),
          attempt,
        );
        exchange.principal = principal;
        const session = makeSessionCookie(requireFit(credential), principal, exchange.isSecure);
        return { ...redirectTo(attempt.returnTo), cookies: [spent, session] };
      } catch (error) {
        return { ...giveUp(exchange, attempt?.returnTo ?? '/', error), cookies: [spent] };
      }
    },
  };
}

function redirectTo(location: string): Answer {
  return { status: 303, headers: { Location: location } };
}

function requireFit(credential: string): string {
  const { maxCredentialLength } = limits;
  if (credential.length <= maxCredentialLength) return credential;
  throw new SignInFailure(
    'too_large',
    `the ID token has ${credential.length} characters, and a cookie can have ${maxCredentialLength}; have the issuer put fewer claims into it`,
  );
}

function asFailure(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  const isUnavailable = error instanceof RosterError && error.code === 'issuer_unavailable';
  return new SignInFailure(isUnavailable ? 'unavailable' : 'failed', (error as Error).message, error);
}
