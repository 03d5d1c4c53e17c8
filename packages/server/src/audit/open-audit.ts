import type { Logger } from 'pino';
import type { ClientOf } from '../protection/trusted-proxies.ts';
import { InvalidSettings } from '../settings/invalid-settings.ts';
import { Audit, type AuditEntry } from './audit.ts';
import { AuditFile } from './audit-file.ts';

export interface OpenAuditOptions {
  /** Undefined writes to the log. */
  readonly file: string | undefined;
  readonly logger: Logger;
  readonly clientOf: ClientOf;
}

export interface OpenedAudit {
  readonly audit: Audit;
  close(): void;
}

/** An audit in a file, which SIGHUP has opened anew, or in the log. */
export function openAudit({ file, logger, clientOf }: OpenAuditOptions): OpenedAudit {
  if (file === undefined) return { audit: new Audit({ write: auditToLog(logger), clientOf }), close() {} };
  const auditFile = openFile(file, logger);
  const reopen = () => auditFile.reopen();
  process.on('SIGHUP', reopen);
  return {
    audit: new Audit({ write: auditFile.write, clientOf }),
    close() {
      process.off('SIGHUP', reopen);
      auditFile.close();
    },
  };
}

/** Whatever the level of the log: an audit with gaps is none. */
function auditToLog(logger: Logger): (entry: AuditEntry) => void {
  if (logger.level === 'silent') return () => {};
  const lines = logger.child({}, { level: 'info' });
  return (audit) => lines.info({ audit }, 'audit');
}

function openFile(file: string, logger: Logger): AuditFile {
  const onFailure = (error: unknown) =>
    logger.error({ err: error, file }, 'the audit cannot be written; what happens now is missing from it');
  try {
    return new AuditFile(file, onFailure);
  } catch (error) {
    throw new InvalidSettings([
      `the audit cannot be written to ${file}: ${(error as NodeJS.ErrnoException).code}`,
    ]);
  }
}
