import { escapeUnseen } from '@roster/contract';
import type { Logger } from 'pino';
import { hideSecrets } from '../log/hide-secrets.ts';
import { type Gap, LineOutput } from '../log/line-output.ts';
import type { Settings } from '../settings/all-settings.ts';
import { InvalidSettings } from '../settings/invalid-settings.ts';
import { Audit, type AuditEntry } from './audit.ts';
import { AuditFile } from './audit-file.ts';

export interface OpenAuditOptions {
  readonly settings: Settings['audit'];
  readonly logger: Logger;
}

export interface OpenedAudit {
  readonly audit: Audit;
  /** How many lines were lost since the start. Those in the log are counted there. */
  readonly lostCount: () => number;
  close(): void;
}

/** An audit in a file, which SIGHUP has opened anew, or in the log. */
export function createAudit({ settings, logger }: OpenAuditOptions): OpenedAudit {
  const { file, required: isRequired } = settings;
  if (file === undefined) {
    const audit = new Audit({ write: auditToLog(logger), isRequired: false });
    return { audit, lostCount: () => 0, close() {} };
  }
  const auditFile = openFile(file);
  const output = new LineOutput({ sink: auditFile, lineOf, ...gapsIn(logger, file) });
  const write = (entry: AuditEntry) => output.write(safeLine(entry));
  const reopen = () => auditFile.reopen();
  process.on('SIGHUP', reopen);
  return {
    audit: new Audit({ write, isRequired }),
    lostCount: () => output.lostCount,
    close() {
      process.off('SIGHUP', reopen);
      output.close();
      auditFile.close();
    },
  };
}

function safeLine(entry: AuditEntry): string {
  return `${escapeUnseen(hideSecrets(JSON.stringify(entry)))}\n`;
}

/** The line in the audit itself. */
function lineOf({ count, from, to }: Gap): string {
  return `${JSON.stringify({ time: new Date().toISOString(), event: 'gap', lost: count, from, to })}\n`;
}

function gapsIn(logger: Logger, file: string) {
  return {
    onGap: (error: unknown) =>
      logger.error({ err: error, file }, 'the audit cannot be written; what happens now is missing from it'),
    onGapEnd: ({ count, from, to }: Gap) =>
      logger.warn(
        { lost: count, from, to, file },
        `${count} audit lines were lost between ${from.toISOString()} and ${to.toISOString()}`,
      ),
  };
}

/** Whatever the level of the log: an audit with gaps is none. */
function auditToLog(logger: Logger): (entry: AuditEntry) => boolean {
  if (logger.level === 'silent') return () => true;
  const lines = logger.child({}, { level: 'info' });
  return (audit) => {
    lines.info({ audit }, 'audit');
    return true;
  };
}

function openFile(file: string): AuditFile {
  try {
    return new AuditFile(file);
  } catch (error) {
    throw new InvalidSettings([
      `the audit cannot be written to ${file}: ${(error as NodeJS.ErrnoException).code}`,
    ]);
  }
}
