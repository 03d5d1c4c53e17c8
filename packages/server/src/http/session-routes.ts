import type { IncomingMessage } from 'node:http';
import { operations, parseNewSession, type WireTypes } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { OidcSignIn } from '../access/oidc/oidc-sign-in.ts';
import type { Principal } from '../access/principal.ts';
import { clearSessionCookie, makeSessionCookie, refuseOtherSites } from '../access/session-cookie.ts';
import type { ClientOf } from '../protection/trusted-proxies.ts';
import { readJson } from './read-json.ts';
import { contextOf } from './request-context.ts';
import { route } from './route.ts';
import { timeOrNull } from './token-routes.ts';

export interface SessionRouteOptions {
  /** How to sign in beside with a token, where there is another way. */
  readonly signIn: OidcSignIn | undefined;
  readonly clientOf: ClientOf;
}

/** Who is signed in. What a browser keeps is the credential itself, so that every node can check it. */
export function registerSessionRoutes(app: FastifyInstance, { signIn, clientOf }: SessionRouteOptions): void {
  const { authenticator } = app;
  const oidc = signIn === undefined ? null : { name: signIn.name, path: operations.beginSignIn.path };
  const viewSession = (principal: Principal | undefined): WireTypes['Session'] => ({
    authentication: authenticator.isRequired ? 'required' : 'off',
    principal: principal === undefined ? null : viewPrincipal(principal),
    sign_in: { token: true, oidc },
  });
  const isSecure = (request: IncomingMessage) => clientOf(request).origin.startsWith('https:');

  route(app, 'getSession', async (request, reply) => {
    const principal = await authenticator.identify(request.raw);
    return reply.header('Cache-Control', 'no-store').send(viewSession(principal));
  });

  route(app, 'createSession', async (request, reply) => {
    refuseOtherSites(request.raw, clientOf(request.raw).origin);
    const credential = parseNewSession(await readJson(request));
    const principal = await authenticator.principalOf(credential, request.raw);
    contextOf(request.raw).principal = principal;
    if (authenticator.isRequired) {
      const { expiresAtMs } = principal;
      reply.header(
        'Set-Cookie',
        makeSessionCookie(credential, { expiresAtMs, isSecure: isSecure(request.raw) }),
      );
    }
    return reply.header('Cache-Control', 'no-store').send(viewSession(principal));
  });

  route(app, 'deleteSession', async (request, reply) => {
    refuseOtherSites(request.raw, clientOf(request.raw).origin);
    return reply
      .code(204)
      .header('Set-Cookie', clearSessionCookie(isSecure(request.raw)))
      .send();
  });
}

function viewPrincipal({
  name,
  kind,
  role,
  scopes,
  expiresAtMs,
}: Principal): WireTypes['Session']['principal'] {
  return { name, kind, role, scopes: scopes.map(({ text }) => text), expires_at: timeOrNull(expiresAtMs) };
}
