import type { StoredView } from '@roster/engine/port';
import { inOrder } from '../../shared/views.ts';

/** All views in memory. */
export class KnownViews {
  readonly #byOwner = new Map<string, Map<string, StoredView>>();

  constructor(views: readonly StoredView[]) {
    for (const view of views) this.put(view);
  }

  list(owners: readonly string[] = [...this.#byOwner.keys()]): StoredView[] {
    return inOrder([...new Set(owners)].flatMap((owner) => [...(this.#byOwner.get(owner)?.values() ?? [])]));
  }

  get(owner: string, name: string): StoredView | undefined {
    return this.#byOwner.get(owner)?.get(name);
  }

  put(view: StoredView): void {
    this.#byOwner.getOrInsertComputed(view.owner, () => new Map()).set(view.name, view);
  }

  remove(owner: string, name: string): void {
    const views = this.#byOwner.get(owner);
    views?.delete(name);
    if (views?.size === 0) this.#byOwner.delete(owner);
  }

  removeOwner(owner: string): void {
    this.#byOwner.delete(owner);
  }
}
