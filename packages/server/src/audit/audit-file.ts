import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { LineFile } from '../log/line-file.ts';
import type { LineSink } from '../log/line-output.ts';

/** Appends lines to a file, even after it was moved or deleted. */
export class AuditFile implements LineSink {
  readonly #path: string;
  #lines: LineFile;
  #isMoved = false;

  /** Throws the error of the system if the file cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    this.#lines = openToAppend(path);
  }

  write(lines: string, done: (error?: unknown, kept?: number) => void): void {
    try {
      this.#followPath();
    } catch (error) {
      done(error);
      return;
    }
    try {
      this.#lines.append(lines);
      done();
    } catch (error) {
      done(error, this.#lines.appended);
    }
  }

  /** For logrotate: writes to a new file, as soon as there can be one, if the old one was renamed. */
  reopen(): void {
    this.#isMoved = true;
    try {
      this.#followPath();
    } catch {
      // The next line tries again, and is lost if that fails.
    }
  }

  close(): void {
    closeSync(this.#lines.descriptor);
  }

  /** Lines in a moved file are kept, those in a deleted one are lost. */
  #followPath(): void {
    const isDeleted = fstatSync(this.#lines.descriptor).nlink === 0;
    if (!isDeleted && !this.#isMoved) return;
    try {
      const lines = openToAppend(this.#path);
      this.close();
      this.#lines = lines;
      this.#isMoved = false;
    } catch (error) {
      if (isDeleted) throw error;
    }
  }
}

/** Does not block on a pipe that nobody reads. */
function openToAppend(path: string): LineFile {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  return new LineFile(openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o640));
}
