import type { Resource } from '@roster/contract';
import { generateResources } from './generate-resources.ts';
import { sortForListing } from './naive-list.ts';
import { writeNdjson } from './write-ndjson.ts';

/** Everything the harness knows about the station of one size. */
export interface StationData {
  readonly size: number;
  readonly resources: readonly Resource[];
  /** In the order of the list. */
  readonly sorted: readonly Resource[];
  readonly ndjsonFile: string;
}

/** Generates the largest station once; the others are prefixes of it. */
export async function prepareStationData(
  sizes: readonly number[],
  fileFor: (size: number) => string,
): Promise<StationData[]> {
  const all = [...generateResources(Math.max(...sizes))];
  const stations: StationData[] = [];
  for (const size of sizes) {
    const resources = size === all.length ? all : all.slice(0, size);
    const ndjsonFile = fileFor(size);
    await writeNdjson(ndjsonFile, resources);
    stations.push({ size, resources, sorted: sortForListing(resources), ndjsonFile });
  }
  return stations;
}
