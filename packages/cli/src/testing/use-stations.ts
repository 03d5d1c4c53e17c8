import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { printed, type RunOptions, runRoster, temporaryDirectory } from './run-roster.ts';
import { type RunningRoster, startRoster } from './start-roster.ts';

/** One server for all tests of a file, and a station for each, which does not exist yet. */
export function useStations() {
  let roster: RunningRoster;
  let stationNumber = 0;
  const fixture = {
    /** Leads the command to the station. */
    environment: {} as Record<string, string>,
    run: (words: string[], options: RunOptions = {}) =>
      runRoster(words, { environment: fixture.environment, ...options }),
    async fill(content: string): Promise<void> {
      const { environment } = fixture;
      await printed(['import', '-', '--format', 'ndjson', '--create'], { environment, input: content });
    },
  };
  beforeAll(async () => {
    roster = await startRoster();
  });
  afterAll(() => roster.stop());
  beforeEach(() => {
    const station = `demo/tests/zone-1/station-${++stationNumber}`;
    fixture.environment = { ROSTER_SERVER: roster.url, ROSTER_STATION: station };
  });
  return fixture;
}

/** A line of NDJSON. */
export function record(id: string, given: object = {}): string {
  const all = { resource_id: id, name: id, resource_type: 'resource_type.compute.vm', ...given };
  return `${JSON.stringify(all)}\n`;
}

/** The path of a new file. */
export function file(name: string, content: string | Buffer): string {
  const destination = path.join(temporaryDirectory(), name);
  writeFileSync(destination, content);
  return destination;
}
