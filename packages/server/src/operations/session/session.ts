import { operations, parseNewSession, type WireTypes } from '@roster/contract';
import { clearSessionCookies, makeSessionCookie } from '../../access/session-cookie.ts';
import type { Handlers } from '../../http/answer.ts';
import type { Principal } from '../../http/principal.ts';
import { readJson } from '../../http/read-json.ts';
import { refuseOtherSites } from '../../http/same-origin.ts';
import type { OperationOptions } from '../operation-options.ts';
import { timeOrNull } from '../tokens/tokens.ts';

/** Browser sessions. The cookie is the credential itself, so every node can check it. */
export function sessionOperations({
  signIn,
  authenticator,
}: OperationOptions): Pick<Handlers, 'getSession' | 'createSession' | 'deleteSession'> {
  const oidc = signIn === undefined ? null : { name: signIn.name, path: operations.beginSignIn.path };
  const viewSession = (principal: Principal | undefined): WireTypes['Session'] => ({
    authentication: authenticator.isRequired ? 'required' : 'off',
    principal: principal === undefined ? null : viewPrincipal(principal),
    sign_in: { token: true, oidc },
  });

  return {
    async getSession(exchange) {
      return { body: viewSession(await authenticator.identify(exchange)) };
    },

    async createSession(exchange) {
      refuseOtherSites(exchange);
      const credential = parseNewSession(await readJson(exchange));
      const principal = await authenticator.principalOf(credential, exchange);
      exchange.principal = principal;
      const body = viewSession(principal);
      if (!authenticator.isRequired) return { body };
      return { cookies: [makeSessionCookie(credential, principal, exchange.isSecure)], body };
    },

    async deleteSession(exchange) {
      refuseOtherSites(exchange);
      return { status: 204, cookies: clearSessionCookies(exchange.isSecure) };
    },
  };
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
