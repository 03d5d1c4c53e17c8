interface Found {
  readonly key: string;
  readonly name: string;
}

/** Finds out what has come into a view since it was last looked at. What was there at first is no news. */
export class NewIn {
  #known: Set<string> | undefined;

  update(found: readonly Found[]): readonly Found[] {
    const before = this.#known;
    this.#known = new Set(found.map(({ key }) => key));
    return before === undefined ? [] : found.filter(({ key }) => !before.has(key));
  }
}
