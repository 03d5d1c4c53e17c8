import { anyOrigin } from '../http/check-origins.ts';
import { isLoopback } from '../http/is-loopback.ts';
import { checkKeyPair, InvalidKeyPair, readKeyPair } from '../tls/key-pair.ts';
import { describeOrigin, invalidSetting, type Origin } from './given-settings.ts';

/** All settings, validated one by one. */
export interface MergedSettings {
  readonly values: ReadonlyMap<string, unknown>;
  readonly origins: ReadonlyMap<string, Origin>;
}

type Rule = (merged: MergedSettings) => string | undefined;

/** Rules between settings. Each returns an error message, if any. */
export const combinationRules: readonly Rule[] = [
  (merged) => {
    if (!isSet(merged, 'data') || !isSet(merged, 'database.url')) return undefined;
    return `${nameIn(merged, 'data')} and ${nameIn(merged, 'database.url')} are both set; set the one that has your data`;
  },
  ({ values, origins }) => {
    const host = String(values.get('host'));
    if (values.get('auth') !== 'off' || isLoopback(host)) return undefined;
    const reason = `is off, but others can reach ${host}; turn authentication on, or listen on 127.0.0.1`;
    return invalidSetting(origins.get('auth')!, 'auth', reason);
  },
  ({ values, origins }) => {
    const cors = values.get('cors.origins') as readonly string[];
    if (values.get('auth') !== 'off' || !cors.includes(anyOrigin)) return undefined;
    const reason = 'lets any web page write while auth is off; turn auth on, or name the origins';
    return invalidSetting(origins.get('cors.origins')!, 'cors.origins', reason);
  },
  (merged) => {
    if (merged.values.get('audit.required') !== true || isSet(merged, 'audit.file')) return undefined;
    const reason = 'is on, but audit.file is not set; lines of the log can be lost';
    return invalidSetting(merged.origins.get('audit.required')!, 'audit.required', reason);
  },
  (merged) => {
    const [cert, key] = [merged.values.get('tls.cert'), merged.values.get('tls.key')];
    if (cert === undefined || key === undefined) return missingHalf(merged, 'tls.cert', 'tls.key');
    const invalid = checkKeyPairFiles(String(cert), String(key));
    return (
      invalid &&
      invalidSetting(merged.origins.get(`tls.${invalid.file}`)!, `tls.${invalid.file}`, invalid.message)
    );
  },
  (merged) => {
    const stray = [...merged.values.keys()].find((key) => key.startsWith('oidc.') && isSet(merged, key));
    if (stray === undefined || isSet(merged, 'oidc.issuer')) return undefined;
    return `${nameIn(merged, stray)} is set, but oidc.issuer is not; name the issuer`;
  },
  (merged) => {
    if (!isSet(merged, 'oidc.issuer')) return undefined;
    const invalid = (reason: string) =>
      invalidSetting(merged.origins.get('oidc.issuer')!, 'oidc.issuer', reason);
    if (merged.values.get('auth') === 'off') return invalid('is set, but auth is off; turn it on');
    if (!isSet(merged, 'oidc.audience') && !isSet(merged, 'oidc.clientId'))
      return invalid('needs oidc.audience or oidc.clientId: whom its tokens are issued for');
    if (!isSet(merged, 'oidc.roles')) return invalid('needs oidc.roles: which claim gives which role');
    if (!isSet(merged, 'oidc.scopes') && !isSet(merged, 'oidc.scopeClaim'))
      return invalid('needs oidc.scopes or oidc.scopeClaim: which claim gives which scopes');
    return undefined;
  },
];

/** For two settings that make sense only together. */
function missingHalf(merged: MergedSettings, ...keys: readonly string[]): string | undefined {
  const [given] = keys.filter((key) => isSet(merged, key));
  const [missing] = keys.filter((key) => !isSet(merged, key));
  if (given === undefined || missing === undefined) return undefined;
  return `${nameIn(merged, given)} is set, but ${missing} is not; set both`;
}

function checkKeyPairFiles(cert: string, key: string): InvalidKeyPair | undefined {
  try {
    checkKeyPair(readKeyPair({ cert, key }));
    return undefined;
  } catch (error) {
    if (error instanceof InvalidKeyPair) return error;
    throw error;
  }
}

function isSet({ origins }: MergedSettings, key: string): boolean {
  return origins.get(key)?.kind !== 'default';
}

function nameIn({ origins }: MergedSettings, key: string): string {
  const origin = origins.get(key)!;
  return origin.kind === 'file' ? `${key} (${describeOrigin(origin)})` : describeOrigin(origin);
}
