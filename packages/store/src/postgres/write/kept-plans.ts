import type { ClientBase } from 'pg';

/** By connection: the size of the largest station it has met, in powers of 8. */
const sizes = new WeakMap<ClientBase, number>();

/**
 * The name under which a connection keeps the plan of a statement. A plan made while the table was small may read a
 * whole station for each row, so it is made anew when stations are much larger.
 */
export function planName(client: ClientBase, statement: string): string {
  return `${statement}-${sizes.get(client) ?? 0}`;
}

/** Call it with the size of each station that a statement concerns. */
export function noteSize(client: ClientBase, resources: number): void {
  const size = Math.ceil(Math.log2(resources + 1) / 3);
  if (size > (sizes.get(client) ?? 0)) sizes.set(client, size);
}
