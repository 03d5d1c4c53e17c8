import { dataDamaged, RosterError } from '@roster/contract';
import pg from 'pg';
import { storeUnavailable } from '../../shared/store-errors.ts';

const uniqueViolation = '23505';
/** From PostgreSQL's own checksums and indexes, and from ours. */
const damage: ReadonlySet<string | undefined> = new Set(['XX001', 'XX002']);
const diskFull = '53100';
const limitExceeded = '54000';
const deadlock = '40P01';
const serializationFailure = '40001';

/** Explains an SQLSTATE to people who do not see the statement. */
const explanations: Readonly<Record<string, string>> = {
  '28000': 'it refuses this user',
  '28P01': 'it refuses the password of this user',
  '3D000': 'it has no such database',
  '42501': 'this user lacks a privilege',
  '25006': 'it is read-only, so it may be a standby now',
  '25P03': 'a feed was idle for too long',
  '53300': 'it has no connections left; raise max_connections or lower ROSTER_DATABASE_POOL',
  '55P03': 'another write held a lock for too long',
  '57014': 'it did not answer in time',
  '57P01': 'it ended the connection',
  '57P02': 'it ended the connection after a crash',
  '57P03': 'it is not ready yet',
};

/** Translates a driver error. Roster's own errors pass through. */
export function translateError(error: unknown, server: string): RosterError {
  if (error instanceof RosterError) return error;
  const { code, message } = asCoded(error);
  if (code === diskFull) {
    const text = `PostgreSQL at ${server} has no space left; nothing was written`;
    return new RosterError('storage_full', text, { cause: error });
  }
  if (code === limitExceeded) {
    // Only the name of a resource can be that long.
    const text = `PostgreSQL cannot index a name that long (${message}); nothing was written, so use a shorter name`;
    return new RosterError('invalid_body', text, { cause: error });
  }
  if (damage.has(code)) return dataDamaged('the inventory', error);
  const explanation = explanations[code ?? ''];
  const reason = explanation ? `${explanation} (${message})` : message;
  return storeUnavailable(`PostgreSQL at ${server} cannot be used: ${reason}`, error);
}

/** The server answered with an error, and the connection is still usable. */
export function isSqlError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** Our own errors are thrown between statements, except those caused by a lost connection. */
export function leavesConnectionSound(error: unknown): boolean {
  return isSqlError(error) || (error instanceof RosterError && error.cause === undefined);
}

export function isUniqueViolation(error: unknown): boolean {
  return isSqlError(error) && asCoded(error).code === uniqueViolation;
}

/** The server refuses what a statement holds or meets: data, a constraint, a limit of its own, or damage. */
export function isRefusal(error: unknown): boolean {
  const { code = '' } = asCoded(error);
  return isSqlError(error) && (damage.has(code) || /^(?:22|23|54)/.test(code));
}

/** The transaction was aborted in favour of another one. */
export function isRetryable(error: unknown): boolean {
  const { code } = asCoded(error);
  return isSqlError(error) && (code === deadlock || code === serializationFailure);
}

/** The server is starting, stopping or being replaced; the caller may retry. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof RosterError || isSqlError(error)) return false;
  return asCoded(error).message !== 'Query read timeout';
}

function asCoded(error: unknown): { code?: string; message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  // A failure to connect to several addresses has no message of its own.
  const message = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
  return code === undefined ? { message } : { code, message };
}
