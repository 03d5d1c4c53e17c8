import { parseScope, type Role, type Scope } from '@roster/contract';
import type { Settings } from '../../settings/all-settings.ts';

/** What is trusted of which issuer. */
export interface OidcSettings {
  readonly issuer: string;
  /** A token must be made for one of these. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly claims: ClaimRules;
  /** How people sign in with a browser, where they may. */
  readonly browser: BrowserSettings | undefined;
}

/** How the claims of a token become a role and scopes. */
export interface ClaimRules {
  /** A claim, or the way to it: `realm_access.roles`. */
  readonly roleClaim: string;
  readonly roles: ReadonlyMap<string, Role>;
  readonly scopeClaim: string;
  /** Absent where the values of the claim are scopes themselves. */
  readonly scopes: ReadonlyMap<string, readonly Scope[]> | undefined;
}

export interface BrowserSettings {
  /** What the button says: sign in with this. */
  readonly name: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret: string | undefined;
  /** What is asked of the issuer, in its words. */
  readonly request: readonly string[];
}

/** The value of a rule that holds for everyone whom the issuer signs in. */
export const anyone = '*';

/** Undefined where no issuer is trusted. */
export function oidcSettingsOf({ oidc }: Pick<Settings, 'oidc'>): OidcSettings | undefined {
  const { issuer, audience, algorithms, roleClaim, roles = {}, scopeClaim = roleClaim, scopes } = oidc;
  if (issuer === undefined) return undefined;
  const { clientId, clientSecret, name, request } = oidc;
  return {
    issuer,
    audiences: [...audience, ...(clientId === undefined ? [] : [clientId])],
    algorithms,
    claims: {
      roleClaim,
      roles: new Map(Object.entries(roles)),
      scopeClaim,
      scopes: scopes && scopeMap(scopes),
    },
    browser: clientId === undefined ? undefined : { name, clientId, clientSecret, request },
  };
}

function scopeMap(scopes: Readonly<Record<string, string | string[]>>): Map<string, readonly Scope[]> {
  return new Map(Object.entries(scopes).map(([value, given]) => [value, [given].flat().map(parseScope)]));
}
