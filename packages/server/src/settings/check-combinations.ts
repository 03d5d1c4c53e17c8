import { isLoopback } from '../http/is-loopback.ts';
import { anyOrigin } from '../http/origin-setting.ts';
import { checkKeyPair, InvalidKeyPair, type KeyPairFiles, readKeyPair } from '../tls/key-pair.ts';
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
  (merged) => {
    const host = String(merged.values.get('host'));
    if (merged.values.get('auth') !== 'off' || isLoopback(host)) return undefined;
    const reason = `is off, but others can reach ${host}; turn authentication on, or listen on 127.0.0.1`;
    return invalid(merged, 'auth', reason);
  },
  (merged) => {
    const cors = merged.values.get('cors.origins') as readonly string[];
    if (merged.values.get('auth') !== 'off' || !cors.includes(anyOrigin)) return undefined;
    const reason = 'lets any web page write while auth is off; turn auth on, or name the origins';
    return invalid(merged, 'cors.origins', reason);
  },
  (merged) => {
    if (merged.values.get('audit.required') !== true || isSet(merged, 'audit.file')) return undefined;
    return invalid(
      merged,
      'audit.required',
      'is on, but audit.file is not set; lines of the log can be lost',
    );
  },
  (merged) => {
    const [cert, key] = [merged.values.get('tls.cert'), merged.values.get('tls.key')];
    const given = ['tls.cert', 'tls.key'].find((each) => isSet(merged, each));
    const missing = ['tls.cert', 'tls.key'].find((each) => !isSet(merged, each));
    if (given && missing) return `${nameIn(merged, given)} is set, but ${missing} is not; set both`;
    if (cert === undefined || key === undefined) return undefined;
    return checkKeyPairFiles(merged, { cert: String(cert), key: String(key) });
  },
  (merged) => {
    const stray = [...merged.values.keys()].find((key) => key.startsWith('oidc.') && isSet(merged, key));
    if (stray === undefined || isSet(merged, 'oidc.issuer')) return undefined;
    return `${nameIn(merged, stray)} is set, but oidc.issuer is not; name the issuer`;
  },
  (merged) => {
    if (!isSet(merged, 'oidc.issuer')) return undefined;
    const reason = findMissingOidc(merged);
    return reason && invalid(merged, 'oidc.issuer', reason);
  },
];

function findMissingOidc(merged: MergedSettings): string | undefined {
  if (merged.values.get('auth') === 'off') return 'is set, but auth is off; turn it on';
  if (!isSet(merged, 'oidc.audience') && !isSet(merged, 'oidc.clientId'))
    return 'needs oidc.audience or oidc.clientId: whom its tokens are issued for';
  if (!isSet(merged, 'oidc.roles')) return 'needs oidc.roles: which claim gives which role';
  if (!isSet(merged, 'oidc.scopes') && !isSet(merged, 'oidc.scopeClaim'))
    return 'needs oidc.scopes or oidc.scopeClaim: which claim gives which scopes';
  return undefined;
}

function checkKeyPairFiles(merged: MergedSettings, files: KeyPairFiles): string | undefined {
  try {
    checkKeyPair(readKeyPair(files));
    return undefined;
  } catch (error) {
    if (error instanceof InvalidKeyPair) return invalid(merged, `tls.${error.file}`, error.message);
    throw error;
  }
}

function invalid({ origins }: MergedSettings, key: string, reason: string): string {
  return invalidSetting(origins.get(key)!, key, reason);
}

function isSet({ origins }: MergedSettings, key: string): boolean {
  return origins.get(key)?.kind !== 'default';
}

function nameIn({ origins }: MergedSettings, key: string): string {
  const origin = origins.get(key)!;
  return origin.kind === 'file' ? `${key} (${describeOrigin(origin)})` : describeOrigin(origin);
}
