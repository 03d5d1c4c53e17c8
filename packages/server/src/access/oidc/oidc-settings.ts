import { parseScope, type Role, type Scope } from '@roster/contract';
import type { Settings } from '../../settings/all-settings.ts';

/** Which tokens of which issuer are accepted. */
export interface OidcSettings {
  readonly issuer: string;
  /** A token must be for one of these. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly claims: ClaimRules;
  /** Undefined if browsers cannot sign in. */
  readonly browser: BrowserSettings | undefined;
}

/** How the claims of a token become a role and scopes. */
export interface ClaimRules {
  /** A claim, or a path such as `realm_access.roles`. */
  readonly roleClaim: string;
  readonly roles: ReadonlyMap<string, Role>;
  readonly scopeClaim: string;
  /** Undefined if the values of the claim are scopes themselves. */
  readonly scopes: ReadonlyMap<string, readonly Scope[]> | undefined;
}

export interface BrowserSettings {
  /** The label of the button. */
  readonly name: string;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** OAuth scopes. */
  readonly request: readonly string[];
}

/** Matches everyone who signs in. */
export const anyone = '*';

/** Undefined without an issuer. */
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
