import type { TimeSlicer } from '@roster/engine';

const itemsPerLookAtClock = 16;

/** A JSON array of what `view` makes of each item, without keeping others from the event loop for long. */
export async function renderInSlices<T>(
  items: readonly T[],
  view: (item: T) => object,
  slicer: TimeSlicer,
): Promise<string> {
  const rendered: string[] = [];
  for (const item of items) {
    if (rendered.length % itemsPerLookAtClock === 0 && slicer.isDue) await slicer.pause();
    rendered.push(JSON.stringify(view(item)));
  }
  return `[${rendered}]`;
}
