import { escapeUnseen } from '@roster/contract';
import { type DestinationStream, type Logger, pino } from 'pino';
import { hideSecrets } from './hide-secrets.ts';

/** The log: lines of JSON that hold neither secrets nor what a terminal would act on. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, hooks: { streamWrite: (line) => escapeUnseen(hideSecrets(line)) } }, destination);
}
