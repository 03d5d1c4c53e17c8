import type { TimeSlicer } from '@roster/engine';

const itemsPerLookAtClock = 16;

/** Renders a JSON array with pauses for other requests. */
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
