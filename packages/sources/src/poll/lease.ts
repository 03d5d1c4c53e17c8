import type { NoteStore } from '@roster/engine';

/** How long nobody may renew a lease before another node takes it. */
const expiryMs = 9_000;
/** A holder that could not renew it for this long gives it up: earlier than others may take it. */
const giveUpMs = 6_000;

/**
 * Decides which of several nodes polls. Nodes watch the version of a note, which its holder keeps changing, by their
 * own clocks: it does not matter whether these agree.
 */
export class Lease {
  readonly #notes: NoteStore;
  readonly #key: string;
  readonly #holder: string;
  #seen: { readonly version: number; readonly atMs: number } | undefined;
  #renewedAtMs: number | undefined;

  constructor(notes: NoteStore, key: string, holder: string) {
    this.#notes = notes;
    this.#key = key;
    this.#holder = holder;
  }

  get isHeld(): boolean {
    if (!this.#notes.isShared) return true;
    return this.#renewedAtMs !== undefined && performance.now() - this.#renewedAtMs < giveUpMs;
  }

  /** Takes or renews the lease, if possible. Call it every two seconds. */
  async renew(): Promise<void> {
    if (!this.#notes.isShared) return;
    const startedAtMs = performance.now();
    const note = await this.#notes.read(this.#key);
    const isOurs = note !== undefined && Buffer.from(note.body).toString() === this.#holder;
    if (note?.version !== this.#seen?.version) {
      this.#seen = note && { version: note.version, atMs: startedAtMs };
    }
    const isExpired = this.#seen !== undefined && startedAtMs - this.#seen.atMs > expiryMs;
    if (note !== undefined && !isOurs && !isExpired) {
      this.#renewedAtMs = undefined;
      return;
    }
    const version = await this.#notes.write(this.#key, Buffer.from(this.#holder), note?.version ?? 0);
    this.#renewedAtMs = version === undefined ? undefined : startedAtMs;
    if (version !== undefined) this.#seen = { version, atMs: startedAtMs };
  }

  /** Lets another node take it at once. */
  async release(): Promise<void> {
    if (!this.#notes.isShared || !this.isHeld) return;
    this.#renewedAtMs = undefined;
    await this.#notes.remove([this.#key]);
  }
}
