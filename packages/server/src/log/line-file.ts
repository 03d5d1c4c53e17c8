import { writeSync } from 'node:fs';

const newline = 0x0a;

/** Appends lines to an open file. If a full disk took only part of them, the next ones begin a new line. */
export class LineFile {
  readonly descriptor: number;
  /** How many lines the last call of `append` has written completely. */
  appended = 0;
  #isTorn = false;

  constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** Throws the error of the system if the lines were not written completely. */
  append(lines: string): void {
    const bytes = Buffer.from(this.#isTorn ? `\n${lines}` : lines);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.descriptor, bytes, written);
    } finally {
      this.appended = countLines(bytes.subarray(this.#isTorn ? 1 : 0, written));
      if (written > 0) this.#isTorn = bytes[written - 1] !== newline;
    }
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines++;
  return lines;
}
