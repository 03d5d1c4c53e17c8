import type { Note, NoteStore } from '@roster/engine';

/** The notes of a store, whose removals can be held up. */
export class HeldNotes implements NoteStore {
  readonly isShared = false;
  /** How many removals have begun and not ended. */
  removals = 0;
  /** How often all stations were looked at for notifications. */
  looks = 0;
  readonly #notes: NoteStore;
  #held: PromiseWithResolvers<void> | undefined;

  constructor(notes: NoteStore) {
    this.#notes = notes;
  }

  hold(): void {
    this.#held = Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  async versions(prefix: string): Promise<ReadonlyMap<string, number>> {
    const versions = await this.#notes.versions(prefix);
    if (prefix === 'inbox/') this.looks++;
    return versions;
  }

  read(key: string): Promise<Note | undefined> {
    return this.#notes.read(key);
  }

  write(key: string, body: Uint8Array, ifVersion?: number): Promise<number | undefined> {
    return this.#notes.write(key, body, ifVersion);
  }

  async remove(keys: readonly string[]): Promise<void> {
    this.removals++;
    try {
      await this.#held?.promise;
      await this.#notes.remove(keys);
    } finally {
      this.removals--;
    }
  }
}
