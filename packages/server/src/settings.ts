import os from 'node:os';
import { limits, nearestName, quote } from '@roster/contract';
import { defaultConnections, fewestConnections, InvalidDatabaseUrl, parseDatabaseUrl } from '@roster/store';

export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Where SQLite keeps its data, unless there is a `database`. */
  readonly dataDirectory: string;
  readonly database: DatabaseSettings | undefined;
  readonly sample: boolean;
  readonly logLevel: LogLevel;
  readonly strictQuery: boolean;
  readonly maxUnpaged: number;
  readonly maxBodyBytes: number;
  readonly indexMemoryBytes: number;
  readonly historyMs: number;
}

interface DatabaseSettings {
  /** May hold a password: never to be logged. */
  readonly url: string;
  /** Where the database is, for people. */
  readonly server: string;
  readonly connections: number;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

const mebibyte = 2 ** 20;
const hour = 3_600_000;

export const settingNames = [
  'ROSTER_HOST',
  'ROSTER_PORT',
  'ROSTER_DATA',
  'ROSTER_DATABASE_URL',
  'ROSTER_DATABASE_POOL',
  'ROSTER_SAMPLE',
  'ROSTER_LOG_LEVEL',
  'ROSTER_STRICT_QUERY',
  'ROSTER_MAX_UNPAGED',
  'ROSTER_MAX_BODY_MB',
  'ROSTER_INDEX_MEMORY_MB',
  'ROSTER_HISTORY_HOURS',
] as const;

/** Says which settings are wrong, all of them, and what is allowed. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
}

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const faults: string[] = [];
  const read = <T>(
    name: (typeof settingNames)[number],
    fallback: T,
    parse: (text: string) => T | undefined,
    allowed: string,
  ): T => {
    const text = environment[name];
    if (text === undefined || text === '') return fallback;
    const value = parse(text.trim());
    if (value !== undefined) return value;
    faults.push(`${name} must be ${allowed}, got ${quote(text)}`);
    return fallback;
  };
  const settings: Settings = {
    host: read('ROSTER_HOST', '127.0.0.1', parseHost, 'a host name or IP address without scheme and port'),
    port: read('ROSTER_PORT', 8080, wholeNumber(0, 65_535), 'a port from 0 to 65535 (0 takes a free one)'),
    database: readDatabase(
      environment,
      read(
        'ROSTER_DATABASE_POOL',
        defaultConnections,
        wholeNumber(fewestConnections, 1000),
        `a whole number from ${fewestConnections} to 1000`,
      ),
      faults,
    ),
    dataDirectory: read('ROSTER_DATA', './data', parseDirectory, 'the path of a directory'),
    sample: read('ROSTER_SAMPLE', false, parseSwitch, 'true or false'),
    logLevel: read('ROSTER_LOG_LEVEL', 'info', parseLogLevel, `one of ${logLevels.join(', ')}`),
    strictQuery: read('ROSTER_STRICT_QUERY', true, parseSwitch, 'true or false'),
    maxUnpaged: read(
      'ROSTER_MAX_UNPAGED',
      limits.defaultMaxUnpaged,
      wholeNumber(0, 1e9),
      'a whole number from 0 to 1000000000',
    ),
    maxBodyBytes:
      mebibyte *
      read('ROSTER_MAX_BODY_MB', 1024, wholeNumber(1, 1e6), 'a whole number of MiB from 1 to 1000000'),
    indexMemoryBytes:
      mebibyte *
      read(
        'ROSTER_INDEX_MEMORY_MB',
        defaultIndexMemoryMb(),
        wholeNumber(1, 1e7),
        'a whole number of MiB from 1 to 10000000',
      ),
    historyMs:
      hour *
      read('ROSTER_HISTORY_HOURS', 24, wholeNumber(1, 87_600), 'a whole number of hours from 1 to 87600'),
  };
  for (const name of Object.keys(environment)) faults.push(...misspeltSetting(name));
  if (faults.length > 0) throw new InvalidSettings(faults.join('\n'));
  return settings;
}

/** Faults of the URL never repeat it. */
function readDatabase(
  { ROSTER_DATABASE_URL: url, ROSTER_DATA: directory }: NodeJS.ProcessEnv,
  connections: number,
  faults: string[],
): DatabaseSettings | undefined {
  if (!url) return undefined;
  if (directory) {
    faults.push('ROSTER_DATA and ROSTER_DATABASE_URL are both set; set the one that has your data');
  }
  try {
    return { url, server: parseDatabaseUrl(url).server, connections };
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error;
    faults.push(`ROSTER_DATABASE_URL ${error.message}`);
    return undefined;
  }
}

/** Names that are not close to a setting are let be: Kubernetes sets ROSTER_SERVICE_HOST and its like. */
function misspeltSetting(name: string): string[] {
  if (!name.startsWith('ROSTER_') || (settingNames as readonly string[]).includes(name)) return [];
  const nearest = nearestName(name, settingNames);
  return nearest ? [`${name} is not a setting; did you mean ${nearest}?`] : [];
}

function parseHost(text: string): string | undefined {
  return /^[A-Za-z0-9.:_%-]+$/.test(text) && !/^[^:]*:\d+$/.test(text) ? text : undefined;
}

function parseDirectory(text: string): string | undefined {
  return text === '' || text.includes('\0') ? undefined : text;
}

function parseSwitch(text: string): boolean | undefined {
  if (['true', '1', 'yes', 'on'].includes(text.toLowerCase())) return true;
  if (['false', '0', 'no', 'off'].includes(text.toLowerCase())) return false;
  return undefined;
}

function parseLogLevel(text: string): LogLevel | undefined {
  return logLevels.find((level) => level === text);
}

function wholeNumber(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^[0-9]{1,12}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

/** Half of what the machine or its container has. */
function defaultIndexMemoryMb(): number {
  const constrained = process.constrainedMemory();
  const total = constrained > 0 && constrained < os.totalmem() ? constrained : os.totalmem();
  return Math.floor(total / 2 / mebibyte);
}
