import type { Resource } from '@roster/contract';
import { SeededRandom } from '../../../testing/seeded-random.ts';
import { generateResources } from '../dataset/generate-resources.ts';
import type { EverywhereFinding } from '../findings.ts';
import { rosterStationPath } from '../servers/contender.ts';
import { summariseLatency } from '../statistics.ts';
import { createStation } from './imports/import-resources.ts';

const everywhereStations = 10_000;
const resourcesPerStation = 1000;
/** In every station. */
const firingPerStation = 10;
const importsAtOnce = 4;
const searches = 300;

/** Fills thousands of stations, then asks what is firing in any of them, while nothing changes and while states do. */
export async function measureEverywhere(origin: string, store: string): Promise<EverywhereFinding> {
  const random = new SeededRandom(6);
  await fillStations(origin);
  const search = async () => {
    const startMs = performance.now();
    const query = `state=firing&page.size=50&page.offset=${random.below(1000)}`;
    const response = await fetch(`${origin}/roster/v1/resources?${query}`);
    const { page } = (await response.json()) as { page: { total: number } };
    const ms = performance.now() - startMs;
    const expected = everywhereStations * firingPerStation;
    if (page.total < expected) throw new Error(`found ${page.total} of ${expected} firing resources`);
    return ms;
  };
  const firstMs = await search();
  const quiet: number[] = [];
  for (let turn = 0; turn < searches; turn++) quiet.push(await search());
  const changing: number[] = [];
  for (let turn = 0; turn < searches; turn++) {
    await fire(origin, random.below(everywhereStations), firingPerStation + turn);
    changing.push(await search());
  }
  return {
    store,
    stations: everywhereStations,
    firstMs,
    quiet: summariseLatency(quiet),
    changing: summariseLatency(changing),
  };
}

async function fillStations(origin: string): Promise<void> {
  const records = Array.from(generateResources(resourcesPerStation), (resource, at) =>
    recordOf(resource, at),
  );
  const body = records.join('\n');
  let next = 0;
  const fill = async () => {
    for (let station = next++; station < everywhereStations; station = next++) {
      await createStation(origin, nameOf(station));
      await write(origin, station, body);
    }
  };
  await Promise.all(Array.from({ length: importsAtOnce }, fill));
}

function recordOf(resource: Resource, at: number): string {
  const { resourceId, name, displayName, typeKey, product, gpuModel, sku } = resource;
  return JSON.stringify({
    resource_id: resourceId,
    name,
    display_name: displayName,
    resource_type: typeKey,
    product,
    gpu_model: gpuModel,
    sku,
    alert_rules_count: 1,
    state: at < firingPerStation ? 'ALERTSTATE_FIRING' : 'ALERTSTATE_INACTIVE',
  });
}

async function fire(origin: string, station: number, at: number): Promise<void> {
  const resource = [...generateResources(at + 1)][at]!;
  await write(origin, station, recordOf(resource, 0));
}

async function write(origin: string, station: number, body: string): Promise<void> {
  const response = await fetch(`${origin}${rosterStationPath(nameOf(station))}/resources`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body,
  });
  if (!response.ok) throw new Error(`a write answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

function nameOf(station: number): string {
  return `everywhere-${station}`;
}
