import { closeSync, openSync, writeSync } from 'node:fs';
import { escapeUnseen } from '@roster/contract';
import { hideSecrets } from '../hide-secrets.ts';
import type { AuditEntry } from './audit.ts';

/** Appends a line of JSON for each entry. */
export class AuditFile {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  #file: number;
  #isTorn = false;

  /** Throws what the system says when the file cannot be opened. */
  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
    this.#file = openToAppend(path);
  }

  readonly write = (entry: AuditEntry): void => {
    const line = `${this.#isTorn ? '\n' : ''}${escapeUnseen(hideSecrets(JSON.stringify(entry)))}\n`;
    const bytes = Buffer.from(line);
    try {
      this.#isTorn = writeSync(this.#file, bytes) < bytes.length;
      if (this.#isTorn) this.#onFailure(new Error('only a part of a line could be written'));
    } catch (error) {
      this.#onFailure(error);
    }
  };

  /** For logrotate: from here on a new file is written, if the old one was renamed. */
  reopen(): void {
    try {
      const file = openToAppend(this.#path);
      closeSync(this.#file);
      this.#file = file;
    } catch (error) {
      this.#onFailure(error);
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

function openToAppend(path: string): number {
  return openSync(path, 'a', 0o640);
}
