/** Cuts text that arrives in pieces into lines. A line over the limit is cut one character after it, to be noticed. */
export class LineCutter {
  readonly #maxLength: number;
  #rest = '';

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  push(text: string): string[] {
    const lines = text.split('\n');
    const last = lines.pop()!;
    if (lines.length === 0) {
      this.#rest = this.#withRest(last);
      return lines;
    }
    lines[0] = this.#withRest(lines[0]!);
    for (let i = 1; i < lines.length; i++) lines[i] = this.#cut(lines[i]!);
    this.#rest = this.#cut(last);
    return lines;
  }

  /** What follows the last newline. */
  end(): string {
    return this.#rest;
  }

  #withRest(text: string): string {
    const missing = this.#maxLength + 1 - this.#rest.length;
    return missing > 0 ? this.#rest + text.slice(0, missing) : this.#rest;
  }

  #cut(line: string): string {
    return line.length > this.#maxLength ? line.slice(0, this.#maxLength + 1) : line;
  }
}
