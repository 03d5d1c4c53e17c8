import { writeSync } from 'node:fs';

const newline = 0x0a;

/** Appends lines to an open file. If a full disk took only part of a line, the next one begins a new line. */
export class LineFile {
  readonly descriptor: number;
  #isTorn = false;

  constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** Throws the error of the system if the line was not written completely. */
  append(line: string): void {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.descriptor, bytes, written);
    } finally {
      if (written > 0) this.#isTorn = bytes[written - 1] !== newline;
    }
  }
}
