import {
  limits,
  parseNewToken,
  parseRevokeQuery,
  quote,
  RosterError,
  type WireTypes,
} from '@roster/contract';
import type { StoredToken } from '@roster/engine';
import { expiryOf, mayManage, requireDelegable } from '../../access/authorise.ts';
import { makeToken } from '../../access/make-token.ts';
import { makeTokenText } from '../../access/token-text.ts';
import type { Handlers } from '../../http/answer.ts';
import { nameWithId } from '../../http/principal.ts';
import { readJson } from '../../http/read-json.ts';
import type { OperationOptions } from '../operation-options.ts';

export function tokenOperations(
  options: OperationOptions,
): Pick<Handlers, 'listTokens' | 'createToken' | 'revokeToken'> {
  const { knownTokens: known, heavyReads, audit } = options;
  const store = options.store.tokens;
  return {
    async listTokens(exchange) {
      const { slicer } = heavyReads.begin(exchange);
      await known?.recordUses();
      const tokens = await store.list();
      await slicer.pause();
      const ours = tokens.filter((token) => mayManage(exchange.principal!, token));
      return { body: { tokens: ours.map(viewToken) } };
    },

    async createToken(exchange) {
      if (known === undefined) throw authenticationOff();
      const asked = parseNewToken(await readJson(exchange));
      const maker = exchange.principal!;
      requireDelegable(maker, asked);
      // A token that another node has just revoked must not create another one.
      await known.refresh();
      exchange.requireStillValid();
      requireRoom(known.count);
      const text = makeTokenText();
      const { name, role, scopes } = asked;
      const createdAtMs = Date.now();
      const token = makeToken(text, {
        name,
        role,
        scopes,
        createdBy: nameWithId(maker),
        makerId: maker.kind === 'token' ? maker.id : undefined,
        createdAtMs,
        expiresAtMs: expiryOf(asked, maker, createdAtMs),
      });
      await store.add(token);
      exchange.target = token.id;
      await known.refresh();
      const view: WireTypes['CreatedToken'] = { ...viewToken(token), token: text };
      return { status: 201, body: view };
    },

    async revokeToken(exchange) {
      const id = exchange.params.token_id!;
      const query = parseRevokeQuery(exchange.search);
      const tokens = await store.list();
      const token = tokens.find((each) => each.id === id);
      const isOurs = token !== undefined && mayManage(exchange.principal!, token);
      const revoked = isOurs ? await store.remove(id, query) : [];
      if (revoked.length === 0) throw new RosterError('token_not_found', `there is no token ${quote(id)}`);
      await known?.refresh();
      for (const target of revoked) {
        if (target !== id) audit.record([{ exchange, outcome: { status: 200, target } }]);
      }
      const stillValid = query.cascade ? [] : madeBy(id, tokens).filter(isAlive);
      const view: WireTypes['Revocation'] = {
        revoked: [...revoked],
        still_valid: stillValid.map((each) => each.id),
      };
      return { body: view };
    },
  };
}

/** The tokens that a token created, directly or not. `tokens` are oldest first. */
function madeBy(id: string, tokens: readonly StoredToken[]): StoredToken[] {
  const makers = new Set([id]);
  return tokens.filter((token) => {
    const isMade = token.makerId !== undefined && makers.has(token.makerId);
    if (isMade) makers.add(token.id);
    return isMade;
  });
}

function isAlive({ expiresAtMs }: StoredToken): boolean {
  return expiresAtMs === undefined || expiresAtMs > Date.now();
}

/** Anyone could create one, and use it once authentication is on. */
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
    `there are ${tokenCount} tokens, the maximum is ${limits.maxTokens}; revoke those that are unused or have expired`,
  );
}

function viewToken(token: StoredToken): WireTypes['Token'] {
  const { id, name, role, scopes, createdAtMs, createdBy, makerId, expiresAtMs, lastUsedAtMs } = token;
  return {
    id,
    name,
    role,
    scopes: [...scopes],
    created_at: new Date(createdAtMs).toISOString(),
    created_by: createdBy,
    maker_id: makerId ?? null,
    expires_at: timeOrNull(expiresAtMs),
    last_used_at: timeOrNull(lastUsedAtMs),
  };
}

export function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
