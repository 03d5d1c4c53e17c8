import { limits, operations, RosterError } from '@roster/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { OidcSignIn, SignedIn } from '../access/oidc/oidc-sign-in.ts';
import { safeReturnPath } from '../access/oidc/safe-return-path.ts';
import { decodeAttempt, encodeAttempt } from '../access/oidc/sign-in-attempt.ts';
import { SignInFailure } from '../access/oidc/sign-in-failure.ts';
import { makeSessionCookie } from '../access/session-cookie.ts';
import type { ClientOf } from '../protection/trusted-proxies.ts';
import { readCookie } from './read-cookie.ts';
import { contextOf } from './request-context.ts';
import { route, searchOf } from './route.ts';

export interface OidcRouteOptions {
  /** Undefined where browsers cannot sign in with an issuer. */
  readonly signIn: OidcSignIn | undefined;
  readonly clientOf: ClientOf;
  readonly logger: Logger;
}

const attemptCookie = 'roster_sign_in';
const attemptSeconds = 600;

/**
 * Signs people in with an issuer. Whatever happens, the browser ends where it was: signed in, or with the reason why
 * not behind the address, where the console looks for it.
 */
export function registerOidcRoutes(app: FastifyInstance, options: OidcRouteOptions): void {
  const { signIn, clientOf, logger } = options;
  const originOf = (request: FastifyRequest) => clientOf(request.raw).origin;
  const attemptHeader = (request: FastifyRequest, value: string, seconds: number) => {
    const secure = originOf(request).startsWith('https:') ? '; Secure' : '';
    return `${attemptCookie}=${value}; Path=${operations.beginSignIn.path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  };
  const giveUp = (request: FastifyRequest, reply: FastifyReply, returnTo: string, error: unknown) => {
    const { fault, message } = asFailure(error);
    // Where there is no issuer, whoever comes here is only looking around.
    if (signIn !== undefined)
      logger.warn({ fault, reason: message }, 'someone could not sign in with the issuer');
    if (fault === 'no_role') app.audit.record(request.raw, { status: 403, code: 'forbidden' });
    return redirect(reply, `${returnTo.replace(/#.*/s, '')}#sign-in=${fault}`);
  };

  route(app, 'beginSignIn', async (request, reply) => {
    const returnTo = safeReturnPath(new URLSearchParams(searchOf(request)).get('return_to') ?? undefined);
    try {
      if (signIn === undefined) throw new SignInFailure('failed', 'no client of an issuer is set up');
      const redirectUri = originOf(request) + operations.finishSignIn.path;
      const { location, attempt } = await signIn.begin(redirectUri, returnTo);
      reply.header('Set-Cookie', attemptHeader(request, encodeAttempt(attempt), attemptSeconds));
      return redirect(reply, location.href);
    } catch (error) {
      return giveUp(request, reply, returnTo, error);
    }
  });

  route(app, 'finishSignIn', async (request, reply) => {
    const attempt = decodeAttempt(readCookie(request.raw, attemptCookie));
    reply.header('Set-Cookie', attemptHeader(request, '', 0));
    try {
      if (signIn === undefined || attempt === undefined) {
        throw new SignInFailure('stale', 'the browser began no sign-in here, or too long ago');
      }
      const { credential, principal } = await signIn.finish(
        new URL(request.raw.url!, originOf(request)),
        attempt,
      );
      contextOf(request.raw).principal = principal;
      const isSecure = originOf(request).startsWith('https:');
      reply.header('Set-Cookie', makeSessionCookie(requireFit(credential), { ...principal, isSecure }));
      return redirect(reply, attempt.returnTo);
    } catch (error) {
      return giveUp(request, reply, attempt?.returnTo ?? '/', error);
    }
  });
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers({ Location: location, 'Cache-Control': 'no-store' }).send();
}

function requireFit(credential: SignedIn['credential']): string {
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
