import { limits, parseNewToken, quote, RosterError, type WireTypes } from '@roster/contract';
import type { StoredToken, TokenStore } from '@roster/engine';
import type { FastifyInstance } from 'fastify';
import { expiryOf, mayManage, requireDelegable } from '../access/delegation.ts';
import type { KnownTokens } from '../access/known-tokens.ts';
import { makeToken } from '../access/make-token.ts';
import type { Principal } from '../access/principal.ts';
import { makeTokenText } from '../access/token-text.ts';
import { readJson } from './read-json.ts';
import { contextOf } from './request-context.ts';
import { principalOf, requireStillValid, route } from './route.ts';

export interface TokenRouteOptions {
  readonly store: TokenStore;
  /** Undefined where authentication is off. */
  readonly known: KnownTokens | undefined;
}

export function registerTokenRoutes(app: FastifyInstance, { store, known }: TokenRouteOptions): void {
  route(app, 'listTokens', async (request) => {
    await known?.recordUses();
    const tokens = await store.list();
    return { tokens: tokens.filter((token) => mayManage(principalOf(request), token)).map(viewToken) };
  });

  route(app, 'createToken', async (request, reply) => {
    if (known === undefined) throw authenticationOff();
    const asked = parseNewToken(await readJson(request));
    const maker = principalOf(request);
    requireDelegable(maker, asked);
    // A token that was revoked on another node just now must not leave a successor.
    await known.refresh();
    requireStillValid(request);
    requireRoom(known.count);
    const text = makeTokenText();
    const { name, role, scopes } = asked;
    const createdAtMs = Date.now();
    const token = makeToken(text, {
      name,
      role,
      scopes,
      createdBy: nameMaker(maker),
      createdAtMs,
      expiresAtMs: expiryOf(asked, maker, createdAtMs),
    });
    await store.add(token);
    contextOf(request.raw).target = token.id;
    await known.refresh();
    const view: WireTypes['CreatedToken'] = { ...viewToken(token), token: text };
    return reply.code(201).header('Cache-Control', 'no-store').send(view);
  });

  route(app, 'revokeToken', async (request, reply) => {
    const id = (request.params as { token_id: string }).token_id;
    const token = (await store.list()).find((each) => each.id === id);
    const isOurs = token !== undefined && mayManage(principalOf(request), token);
    if (!isOurs || !(await store.remove(id))) {
      throw new RosterError('token_not_found', `there is no token ${quote(id)}`);
    }
    await known?.refresh();
    return reply.code(204).send();
  });
}

/** Anyone could make one, and come in with it once the server asks for tokens. */
function authenticationOff(): RosterError {
  return new RosterError(
    'authentication_off',
    'authentication is off, so nobody needs a token; start the server with ROSTER_AUTH=on, and it prints the first one',
  );
}

function requireRoom(tokenCount: number): void {
  if (tokenCount < limits.maxTokens) return;
  throw new RosterError(
    'too_many_tokens',
    `there are ${tokenCount} tokens, and there may be ${limits.maxTokens}; revoke those that are not used or have expired`,
  );
}

/** Names of tokens may be chosen freely, so that only the id tells which one it was. */
function nameMaker({ kind, name, id }: Principal): string {
  return kind === 'token' ? `${name} (${id})` : name;
}

function viewToken(token: StoredToken): WireTypes['Token'] {
  const { id, name, role, scopes, createdAtMs, createdBy, expiresAtMs, lastUsedAtMs } = token;
  return {
    id,
    name,
    role,
    scopes: [...scopes],
    created_at: new Date(createdAtMs).toISOString(),
    created_by: createdBy,
    expires_at: timeOrNull(expiresAtMs),
    last_used_at: timeOrNull(lastUsedAtMs),
  };
}

export function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
