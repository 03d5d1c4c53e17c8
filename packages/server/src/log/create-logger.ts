import { escapeUnseen } from '@roster/contract';
import { type DestinationStream, type Logger, pino } from 'pino';
import { hideSecrets } from './hide-secrets.ts';

/** Writes lines of JSON without secrets and without control characters. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, hooks: { streamWrite: (line) => escapeUnseen(hideSecrets(line)) } }, destination);
}
