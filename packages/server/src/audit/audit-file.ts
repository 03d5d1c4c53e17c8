import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { LineFile } from '../log/line-file.ts';
import type { LineSink } from '../log/line-output.ts';

/** A file that lines are appended to, also after someone moved or deleted it. */
export class AuditFile implements LineSink {
  readonly #path: string;
  #lines: LineFile;
  #isMoved = false;

  /** Throws what the system says when the file cannot be opened. */
  constructor(path: string) {
    this.#path = path;
    this.#lines = openToAppend(path);
  }

  write(line: string, done: (error?: unknown) => void): void {
    try {
      this.#followPath();
      this.#lines.append(line);
      done();
    } catch (error) {
      done(error);
    }
  }

  /** For logrotate: from here on a new file is written, as soon as there can be one, if the old one was renamed. */
  reopen(): void {
    this.#isMoved = true;
    try {
      this.#followPath();
    } catch {
      // It is tried again with the next line, which is lost if it fails again.
    }
  }

  close(): void {
    closeSync(this.#lines.descriptor);
  }

  /** What is written to a file that was deleted is lost; one that was moved keeps it. */
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

/** Without waiting, should it be a pipe that nobody reads. */
function openToAppend(path: string): LineFile {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  return new LineFile(openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o640));
}
