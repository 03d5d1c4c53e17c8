import { RosterError } from '@roster/contract';
import pg from 'pg';

const uniqueViolation = '23505';
const diskFull = '53100';
const deadlock = '40P01';
const serializationFailure = '40001';

/** What to say of an SQLSTATE, to people who see nothing of the statement. */
const explanations: Readonly<Record<string, string>> = {
  '28000': 'it refuses this user',
  '28P01': 'it refuses the password of this user',
  '3D000': 'it has no such database',
  '42501': 'this user lacks a privilege',
  '25006': 'it only lets us read, so it may be a standby now',
  '25P03': 'a feed was not read on for too long',
  '53300': 'it has no connections left; raise max_connections or lower ROSTER_DATABASE_POOL',
  '55P03': 'another write held a lock for too long',
  '57014': 'it did not answer in time',
  '57P01': 'it ended the connection',
  '57P02': 'it ended the connection after a crash',
  '57P03': 'it is not ready yet',
};

/** What a caller sees of a driver error. Errors that are already Roster's own pass through. */
export function translateError(error: unknown, server: string): RosterError {
  if (error instanceof RosterError) return error;
  const { code, message } = asCoded(error);
  if (code === diskFull) {
    const text = `PostgreSQL at ${server} has no space left; nothing of this write was kept`;
    return new RosterError('storage_full', text, { cause: error });
  }
  const explanation = explanations[code ?? ''];
  const reason = explanation ? `${explanation} (${message})` : message;
  return new RosterError('store_unavailable', `PostgreSQL at ${server} cannot be used: ${reason}`, {
    cause: error,
  });
}

/** The server answered with an error, and the connection can go on. */
export function isSqlError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** Errors of our own are thrown between statements, except those that a lost connection caused. */
export function leavesConnectionSound(error: unknown): boolean {
  return isSqlError(error) || (error instanceof RosterError && error.cause === undefined);
}

export function isUniqueViolation(error: unknown): boolean {
  return isSqlError(error) && asCoded(error).code === uniqueViolation;
}

/** The transaction was ended for the sake of another one. */
export function isRetryable(error: unknown): boolean {
  const { code } = asCoded(error);
  return isSqlError(error) && (code === deadlock || code === serializationFailure);
}

/** A server that is being started, stopped or replaced. Whoever can wait may ask again. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof RosterError || isSqlError(error)) return false;
  return asCoded(error).message !== 'Query read timeout';
}

function asCoded(error: unknown): { code?: string; message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  // A failure to connect to several addresses of a host has no message of its own.
  const message = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
  return code === undefined ? { message } : { code, message };
}
