import {
  escapeUnseen,
  limits,
  operations,
  RosterError,
  type StationAddress,
  shorten,
  stationPath,
} from '@roster/contract';
import type { Logger } from 'pino';
import type { Exchange } from '../http/exchange.ts';
import { hideSecrets } from '../log/hide-secrets.ts';
import { LineOutput } from '../log/line-output.ts';
import type { Settings } from '../settings/all-settings.ts';
import { InvalidSettings } from '../settings/invalid-settings.ts';
import { AuditFile } from './audit-file.ts';

interface AuditedOutcome {
  readonly status: number;
  readonly code?: string | undefined;
  readonly revision?: string | undefined;
  /** Replaces the one that the request names. */
  readonly target?: string | undefined;
}

/** What became of a request. */
export interface Audited {
  readonly exchange: Exchange;
  readonly outcome: AuditedOutcome;
}

/** Returns whether the entries were written. Never throws. */
type WriteEntries = (entries: readonly object[]) => boolean;

/** Not recorded: a client that floods the server must not flood the audit. */
const tooManyRequests = 429;
/** A full disk is rarely freed within seconds. */
const retryAfterSeconds = 5;

/** Records every write and every denial. */
export class Audit {
  readonly #write: WriteEntries;
  readonly #isRequired: boolean;

  constructor(write: WriteEntries, isRequired: boolean) {
    this.#write = write;
    this.#isRequired = isRequired;
  }

  /**
   * Call this before a write. If the audit is required, it records the attempt, because a write that was made cannot be
   * refused any more, and throws `audit_unavailable` if it cannot.
   */
  begin(exchange: Exchange): void {
    if (!this.#isRequired || exchange.isDryRun || this.#write([entryOf(exchange, 'attempt', {})])) return;
    const detail = 'the audit cannot be written, and no write is made without it; reads go on';
    throw new RosterError('audit_unavailable', detail, { retryAfterSeconds });
  }

  /** Call this with every outcome. Only writes and denials are recorded. */
  record(audited: readonly Audited[]): void {
    const entries = audited.flatMap(({ exchange, outcome }) => {
      const event = eventOf(exchange, outcome);
      return event === undefined ? [] : entryOf(exchange, event, outcome);
    });
    if (entries.length > 0) this.#write(entries);
  }
}

function eventOf(
  { operation, isDryRun }: Exchange,
  { status, code }: AuditedOutcome,
): 'write' | 'denial' | undefined {
  // The attempt could not be written either.
  if (operation === undefined || status === tooManyRequests || code === 'audit_unavailable') return undefined;
  if (status === 401 || status === 403) return 'denial';
  return operations[operation].method === 'GET' || isDryRun ? undefined : 'write';
}

function entryOf(
  exchange: Exchange,
  event: 'write' | 'denial' | 'attempt',
  { status, code, revision, target = exchange.target }: Partial<AuditedOutcome>,
): object {
  const { operation, principal, address, requestId, client } = exchange;
  const { name, kind, id, role } = principal ?? {};
  // JSON leaves out what is undefined.
  return {
    time: new Date().toISOString(),
    event,
    operation,
    who: principal === undefined ? null : { name, kind, id, role },
    from: client.address,
    station: address && stationPath(shortenNames(address)),
    target: target ? shorten(target, limits.maxIdLength) : undefined,
    status,
    code,
    revision,
    request_id: requestId,
  };
}

/** Valid names are never cut. */
function shortenNames({ subscription, resourceGroup, zone, name }: StationAddress): StationAddress {
  const cut = (text: string) => shorten(text, limits.maxAddressPartLength);
  return {
    subscription: cut(subscription),
    resourceGroup: cut(resourceGroup),
    zone: cut(zone),
    name: cut(name),
  };
}

/** Opens an audit in a file, which SIGHUP reopens, or in the log. `lostCount` is about the file. */
export function createAudit({ file, required }: Settings['audit'], logger: Logger) {
  if (file === undefined) {
    return { audit: new Audit(auditToLog(logger), false), lostCount: () => 0, close() {} };
  }
  const auditFile = openFile(file);
  const output = new LineOutput({
    sink: auditFile,
    lineOf: ({ count, from, to }) =>
      `${JSON.stringify({ time: new Date().toISOString(), event: 'gap', lost: count, from, to })}\n`,
    onGap: (error) =>
      logger.error({ err: error, file }, 'the audit cannot be written; what happens now is missing from it'),
    onGapEnd: ({ count, from, to }) =>
      logger.warn(
        { lost: count, from, to, file },
        `${count} audit lines were lost between ${from.toISOString()} and ${to.toISOString()}`,
      ),
  });
  const lineOf = (entry: object) => `${escapeUnseen(hideSecrets(JSON.stringify(entry)))}\n`;
  const write = (entries: readonly object[]) => output.write(entries.map(lineOf).join(''), entries.length);
  const reopen = () => auditFile.reopen();
  process.on('SIGHUP', reopen);
  return {
    audit: new Audit(write, required),
    lostCount: () => output.lostCount,
    close() {
      process.off('SIGHUP', reopen);
      output.close();
      auditFile.close();
    },
  };
}

/** At every log level: an audit must have no gaps. */
function auditToLog(logger: Logger): WriteEntries {
  if (logger.level === 'silent') return () => true;
  const lines = logger.child({}, { level: 'info' });
  return (entries) => {
    for (const audit of entries) lines.info({ audit }, 'audit');
    return true;
  };
}

function openFile(file: string): AuditFile {
  try {
    return new AuditFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidSettings([`the audit cannot be written to ${file}: ${code}`]);
  }
}
