import { fstatSync } from 'node:fs';
import os from 'node:os';
import { escapeUnseen } from '@roster/contract';
import { type DestinationStream, type Logger, pino } from 'pino';
import { hideSecrets } from './hide-secrets.ts';
import { LineFile } from './line-file.ts';
import { type Gap, LineOutput, type LineSink } from './line-output.ts';

const maxBacklogBytes = 2 ** 20;
const warnLevel = 40;

/** Logs lines of JSON without secrets and control characters. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, hooks: { streamWrite: (line) => escapeUnseen(hideSecrets(line)) } }, destination);
}

/** Logs to standard error: a terminal, a file, a pipe or a socket. */
export function logToStandardError(): LineOutput {
  const status = fstatSync(process.stderr.fd);
  const canStall = status.isFIFO() || status.isSocket();
  return new LineOutput({ sink: canStall ? stallingSink() : fileSink(process.stderr.fd), lineOf });
}

/** Resolves once everything was read, or after `maxMs`. */
export async function standardErrorTaken(maxMs: number): Promise<void> {
  if (process.stderr.writableLength === 0) return;
  await new Promise((resolve) => {
    process.stderr.write('', resolve);
    setTimeout(resolve, maxMs);
  });
}

function fileSink(descriptor: number): LineSink {
  const file = new LineFile(descriptor);
  return {
    write(line, done) {
      try {
        file.append(line);
        done();
      } catch (error) {
        done(error);
      }
    },
  };
}

/** For a pipe or socket whose reader may be slow or gone. */
function stallingSink(): LineSink {
  const stream = process.stderr;
  // Both, because they may be the same pipe. Errors go to the callback of each line.
  for (const each of [process.stdout, stream]) makeNonBlocking(each);
  stream.on('error', () => undefined);
  return {
    write(line, done) {
      if (stream.writableLength > maxBacklogBytes) done(new Error('nobody reads standard error'));
      else stream.write(line, done);
    },
  };
}

/** Node.js blocks while a pipe is full, and has no public way to change that. A test covers a log that nobody reads. */
function makeNonBlocking(
  stream: NodeJS.WriteStream & { _handle?: { setBlocking?(isBlocking: boolean): void } },
): void {
  stream._handle?.setBlocking?.(false);
}

/** In the format of pino. */
function lineOf({ count, from, to }: Gap): string {
  const [first, last] = [from.toISOString(), to.toISOString()];
  return `${JSON.stringify({
    level: warnLevel,
    time: Date.now(),
    pid: process.pid,
    hostname: os.hostname(),
    lost: count,
    from: first,
    to: last,
    msg: `${count} log lines were lost between ${first} and ${last}`,
  })}\n`;
}
