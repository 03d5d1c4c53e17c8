import { anyOrigin } from '../protection/cors.ts';
import { isLoopback } from '../protection/is-loopback.ts';
import { checkKeyPair, InvalidKeyPair, readKeyPair } from '../protection/key-pair.ts';
import { blame, describeOrigin, type Origin } from './origin.ts';

/** All settings together, before they are trusted. */
export interface Merged {
  readonly values: ReadonlyMap<string, unknown>;
  readonly origins: ReadonlyMap<string, Origin>;
}

type Rule = (merged: Merged) => string | undefined;

/** What holds between settings. Each says what is wrong. */
export const rules: readonly Rule[] = [
  (merged) => {
    if (!isSet(merged, 'data') || !isSet(merged, 'database.url')) return undefined;
    return `${nameIn(merged, 'data')} and ${nameIn(merged, 'database.url')} are both set; set the one that has your data`;
  },
  ({ values, origins }) => {
    const host = String(values.get('host'));
    if (values.get('auth') !== 'off' || isLoopback(host)) return undefined;
    const complaint = `is off, but others can reach ${host}; turn authentication on, or listen on 127.0.0.1`;
    return blame(origins.get('auth')!, 'auth', complaint);
  },
  ({ values, origins }) => {
    const cors = values.get('cors.origins') as readonly string[];
    if (values.get('auth') !== 'off' || !cors.includes(anyOrigin)) return undefined;
    const complaint = 'lets pages of the whole web write while auth is off; turn it on, or name the origins';
    return blame(origins.get('cors.origins')!, 'cors.origins', complaint);
  },
  (merged) => {
    const [cert, key] = [merged.values.get('tls.cert'), merged.values.get('tls.key')];
    if (cert === undefined || key === undefined) return missingHalf(merged, 'tls.cert', 'tls.key');
    const fault = faultOfKeyPair(String(cert), String(key));
    return fault && blame(merged.origins.get(`tls.${fault.file}`)!, `tls.${fault.file}`, fault.message);
  },
  (merged) => {
    const stray = [...merged.values.keys()].find((key) => key.startsWith('oidc.') && isSet(merged, key));
    if (stray === undefined || isSet(merged, 'oidc.issuer')) return undefined;
    return `${nameIn(merged, stray)} is set, but oidc.issuer is not; name the issuer`;
  },
  (merged) => {
    if (!isSet(merged, 'oidc.issuer')) return undefined;
    const complain = (complaint: string) =>
      blame(merged.origins.get('oidc.issuer')!, 'oidc.issuer', complaint);
    if (merged.values.get('auth') === 'off') return complain('is set, but auth is off; turn it on');
    if (!isSet(merged, 'oidc.audience') && !isSet(merged, 'oidc.clientId'))
      return complain('needs oidc.audience or oidc.clientId: for whom its tokens must be made');
    if (!isSet(merged, 'oidc.roles')) return complain('needs oidc.roles: which claim gives which role');
    if (!isSet(merged, 'oidc.scopes') && !isSet(merged, 'oidc.scopeClaim'))
      return complain('needs oidc.scopes or oidc.scopeClaim: which claim gives which scopes');
    return undefined;
  },
];

/** Of two settings that make sense only together. */
function missingHalf(merged: Merged, ...keys: readonly string[]): string | undefined {
  const [given] = keys.filter((key) => isSet(merged, key));
  const [missing] = keys.filter((key) => !isSet(merged, key));
  if (given === undefined || missing === undefined) return undefined;
  return `${nameIn(merged, given)} is set, but ${missing} is not; set both`;
}

function faultOfKeyPair(cert: string, key: string): InvalidKeyPair | undefined {
  try {
    checkKeyPair(readKeyPair({ cert, key }));
    return undefined;
  } catch (error) {
    if (error instanceof InvalidKeyPair) return error;
    throw error;
  }
}

function isSet({ origins }: Merged, key: string): boolean {
  return origins.get(key)?.kind !== 'default';
}

function nameIn({ origins }: Merged, key: string): string {
  const origin = origins.get(key)!;
  return origin.kind === 'file' ? `${key} (${describeOrigin(origin)})` : describeOrigin(origin);
}
