/** Soon enough to see a change within a second. */
export const quickMs = 700;
const calmMs = 3_000;
const manyItems = 500;

/** When to ask again for so many items: each time, the server reads all of them. */
export function refreshPace(items: number): number {
  return items > manyItems ? calmMs : quickMs;
}
