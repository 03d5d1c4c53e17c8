import { statSync } from 'node:fs';
import path from 'node:path';
import { formatDuration, parseDuration, quote } from '@roster/contract';
import type { ConfigValue } from './config-value.ts';
import type { Auth, Endpoint, Secret, Tls } from './source.ts';

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;
const anyText = /^[^\0\r\n]+$/;

/** Shared by Prometheus and Alertmanager. */
export const serverKeys = ['url', 'interval', 'timeout', 'auth', 'tls', 'allow_link_local'] as const;

type Members = Partial<Record<(typeof serverKeys)[number], ConfigValue>>;

/** `urls` are already checked. */
export function readEndpoints(members: Members, urls: readonly string[]): Endpoint[] {
  const auth = members.auth && readAuth(members.auth);
  const tls = members.tls && readTls(members.tls);
  const timeoutMs = readDuration(members.timeout, 10_000, [1_000, 120_000]);
  const allowLinkLocal = members.allow_link_local?.boolean() ?? false;
  return urls.map((url) => ({ url, timeoutMs, auth, tls, allowLinkLocal }));
}

export function readDuration(
  given: ConfigValue | undefined,
  otherwiseMs: number,
  [minMs, maxMs]: readonly [number, number],
): number {
  if (given === undefined) return otherwiseMs;
  const ms = typeof given.value === 'string' ? parseDuration(given.value) : undefined;
  if (ms !== undefined && ms >= minMs && ms <= maxMs) return ms;
  given.refuse(
    `must be a duration from ${formatDuration(minMs)} to ${formatDuration(maxMs)}, such as 15s or 1m, got ${quote(given.value)}`,
  );
  return otherwiseMs;
}

/** Never repeats the URL where it may have a password in it. */
export function readUrl(given: ConfigValue): string | undefined {
  const text = given.text(anyText, 'a URL such as http://prometheus:9090');
  if (text === undefined) return undefined;
  if (!URL.canParse(text)) return given.refuse('is not a URL such as http://prometheus:9090');
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:')
    return given.refuse('must begin with http:// or https://');
  if (username !== '' || password !== '')
    return given.refuse('must have neither user name nor password in it; use auth');
  if (search !== '' || hash !== '') return given.refuse('must have neither query nor fragment');
  return text.replace(/\/+$/, '');
}

function readAuth(given: ConfigValue): Auth | undefined {
  const members = given.members(['bearer', 'username', 'password']);
  if (members === undefined) return undefined;
  const { bearer, username, password } = members;
  if (bearer !== undefined && (username !== undefined || password !== undefined)) {
    return given.refuse('has both bearer and username; keep one');
  }
  if (bearer !== undefined) {
    const secret = readSecret(bearer);
    return secret && { bearer: secret };
  }
  if (username === undefined || password === undefined)
    return given.refuse('needs bearer, or username and password');
  const name = username.text(/^[^\0\r\n:]+$/, 'a user name without a colon');
  const secret = readSecret(password);
  return name === undefined || secret === undefined ? undefined : { username: name, password: secret };
}

/** Never repeats what was given: it may be the secret itself. */
function readSecret(given: ConfigValue): Secret | undefined {
  if (typeof given.value === 'string') {
    return given.refuse(
      'must not be written into the configuration; name its file or variable: { file: /path }',
    );
  }
  const members = given.members(['file', 'env']);
  if (members === undefined) return undefined;
  const { file, env } = members;
  if ((file === undefined) === (env === undefined)) return given.refuse('needs either file or env');
  if (file !== undefined) {
    const checked = readFile(file);
    return checked === undefined ? undefined : { file: checked };
  }
  const name = env!.text(variable, 'the name of an environment variable');
  if (name === undefined) return undefined;
  return process.env[name] ? { env: name } : env!.refuse(`names the variable ${name}, which is not set`);
}

function readTls(given: ConfigValue): Tls | undefined {
  const members = given.members(['ca', 'cert', 'key', 'insecure']);
  if (members === undefined) return undefined;
  const { ca, cert, key, insecure } = members;
  if ((cert === undefined) !== (key === undefined))
    return given.refuse('needs both cert and key, or neither');
  return {
    ca: ca && readFile(ca),
    cert: cert && readFile(cert),
    key: key && readFile(key),
    insecure: insecure?.boolean() ?? false,
  };
}

function readFile(given: ConfigValue): string | undefined {
  const file = given.text(anyText, 'the path of a file');
  if (file === undefined) return undefined;
  if (!path.isAbsolute(file)) return given.refuse(`must be an absolute path, got ${quote(file)}`);
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? file : given.refuse(`names ${quote(file)}, which is not a file`);
}
