import { TimeSlicer } from '@roster/engine';

/** Nobody waits for what is done with the answers of sources, so it rests between its slices. */
export function backgroundSlicer(): TimeSlicer {
  return new TimeSlicer({ sliceMs: 1, restMs: 1 });
}
