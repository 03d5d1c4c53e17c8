import type { NoteStore } from '@roster/engine';

/** A longer time without an answer does not count: nobody knows what was there meanwhile. */
const maxIntervals = 2;

interface KeptMissing {
  readonly readAtMs: number;
  /** For how many milliseconds, by id. */
  readonly missing: Readonly<Record<string, number>>;
}

export interface MissingOptions {
  readonly notes: NoteStore;
  readonly source: string;
  readonly intervalMs: number;
}

/**
 * How long the targets of discovered resources have been missing, counted only while Prometheus answers. Kept in the
 * notes of the store, so that neither a restart nor another node begins anew or counts the time between.
 */
export class MissingTargets {
  readonly #options: MissingOptions;
  #readAtMs = 0;
  #missing: ReadonlyMap<string, number> = new Map();

  constructor(options: MissingOptions) {
    this.#options = options;
  }

  async recall(): Promise<void> {
    const note = await this.#options.notes.read(this.#key);
    const kept: KeptMissing | undefined = note && JSON.parse(Buffer.from(note.body).toString());
    this.#readAtMs = kept?.readAtMs ?? 0;
    this.#missing = new Map(Object.entries(kept?.missing ?? {}));
  }

  /** Takes in which are missing in an answer of that time; those that are not among them begin anew. */
  async update(ids: readonly string[], readAtMs: number): Promise<void> {
    const maxMs = maxIntervals * this.#options.intervalMs;
    const passedMs = Math.min(Math.max(0, readAtMs - this.#readAtMs), maxMs);
    const before = this.#missing;
    this.#readAtMs = readAtMs;
    this.#missing = new Map(
      ids.map((id) => {
        const missingMs = before.get(id);
        return [id, missingMs === undefined ? 0 : missingMs + passedMs];
      }),
    );
    if (before.size === 0 && this.#missing.size === 0) return;
    const kept: KeptMissing = { readAtMs, missing: Object.fromEntries(this.#missing) };
    await this.#options.notes.write(this.#key, Buffer.from(JSON.stringify(kept)));
  }

  /** Those that have been missing for that long. */
  missingFor(ms: number): string[] {
    return [...this.#missing].filter(([, missingMs]) => missingMs >= ms).map(([id]) => id);
  }

  get #key(): string {
    return `missing/${this.#options.source}`;
  }
}
