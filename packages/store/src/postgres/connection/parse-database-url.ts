import { readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { nearestName, quote } from '@roster/contract';
import type { ClientConfig } from 'pg';

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const parameterNames = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host'] as const;

/** What is wrong with a database URL. It never repeats the URL, which may hold a password. */
export class InvalidDatabaseUrl extends Error {
  override readonly name = 'InvalidDatabaseUrl';
}

export interface DatabaseAddress {
  readonly config: ClientConfig;
  /** Where the database is, for people. */
  readonly server: string;
}

/** Throws `InvalidDatabaseUrl`. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new InvalidDatabaseUrl('must be like postgres://user:password@host:5432/database');
  }
  const parameters = readParameters(url);
  const host = parameters.get('host') ?? decode(url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const database = decode(url.pathname.slice(1));
  const user = decode(url.username);
  if (host === '') throw new InvalidDatabaseUrl('must name a host, or a directory of sockets as ?host=/…');
  if (database === '') throw new InvalidDatabaseUrl('must name a database, as in postgres://host/database');
  const port = url.port === '' ? 5432 : Number(url.port);
  const given = { ...(user && { user }), ...(url.password && { password: decode(url.password) }) };
  const config = { host, port, database, ...given, ssl: sslOptions(parameters, host) };
  return { config, server: `${host}:${port}/${database}` };
}

function readParameters(url: URL): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (!(parameterNames as readonly string[]).includes(name)) {
      const nearest = nearestName(name, parameterNames);
      const hint = nearest ? `did you mean ${nearest}?` : `known are ${parameterNames.join(', ')}`;
      throw new InvalidDatabaseUrl(`has an unknown parameter ${quote(name)}; ${hint}`);
    }
    parameters.set(name, value);
  }
  return parameters;
}

/** `require` encrypts, `verify-ca` also checks who signed the certificate, `verify-full` also its host name. */
function sslOptions(parameters: ReadonlyMap<string, string>, host: string): false | ConnectionOptions {
  const mode = parameters.get('sslmode') ?? 'disable';
  if (!(sslModes as readonly string[]).includes(mode)) {
    throw new InvalidDatabaseUrl(`must have one of ${sslModes.join(', ')} as sslmode, got ${quote(mode)}`);
  }
  const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;
  const given = Object.entries(files).filter(([, name]) => parameters.has(name));
  if (mode === 'disable') {
    if (given.length > 0)
      throw new InvalidDatabaseUrl(`needs an sslmode other than disable for ${given[0]![1]}`);
    return false;
  }
  const read = Object.fromEntries(given.map(([key, name]) => [key, readFile(name, parameters.get(name)!)]));
  if (mode === 'require') return { ...read, rejectUnauthorized: false };
  return {
    ...read,
    // The name to check is not always sent as the server name (SNI), which must not be an IP address.
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-ca' ? undefined : checkServerIdentity(host, certificate),
  };
}

function readFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidDatabaseUrl(`names a file as ${name} that cannot be read: ${quote(path)} (${code})`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidDatabaseUrl('must be percent-encoded; write % as %25');
  }
}

/** The default and minimum number of connections of a node. */
export const defaultConnections = 20;
export const fewestConnections = 4;
