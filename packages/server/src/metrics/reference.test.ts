import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FakeMonitoring } from '../operations/sources/testing/fake-monitoring.ts';
import { record, TestServer } from '../testing/test-server.ts';

interface Described {
  readonly type: string;
  readonly labels: string[];
  readonly help: string;
}

it('lists every metric of ours with its type, its labels and what it means, and no other', async () => {
  await using monitoring = await FakeMonitoring.start();
  await using server = await TestServer.start({ ROSTER_SOURCES: sourcesAt(monitoring.url) });
  // What has labels shows them once there is a value.
  await server.createStation();
  await server.write(record('r-1'));
  await server.list();
  const scrape = async () => (await fetch(server.metricsUrl)).text();
  for (const last of ['roster_source_last_read_timestamp_seconds', 'roster_source_discovered_resources']) {
    await expect.poll(scrape, { timeout: 60_000 }).toContain(`\n${last}{`);
  }
  const text = await scrape();
  const page = await readFile(new URL('../../../../docs/reference/metrics.md', import.meta.url), 'utf8');
  expect(described(page)).toEqual(told(text));
});

function sourcesAt(url: string): string {
  const stations = ['subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t'];
  const tie = [{ label: 'instance', to: 'name' }];
  const discovery = { jobs: { node: 'resource_type.compute.vm' } };
  return JSON.stringify([{ name: 'prom', prometheus: { url }, stations, tie, discovery }]);
}

function told(text: string): Record<string, Described> {
  const metrics = [...text.matchAll(/^# HELP (roster_\w+) (.+)\n# TYPE \w+ (\w+)$/gm)];
  return Object.fromEntries(
    metrics.map(([, name, help, type]) => [
      name,
      { type: type!, labels: labelsOf(text, name!), help: help! },
    ]),
  );
}

function labelsOf(text: string, name: string): string[] {
  const series = new RegExp(`^${name}(?:_count)?\\{(.+)\\} `, 'm').exec(text)?.[1] ?? '';
  return [...series.matchAll(/(\w+)="/g)].map(([, label]) => label!);
}

function described(page: string): Record<string, Described> {
  const rows = page.matchAll(/^\| `(roster_\w+)` *\| (\w+) *\| (.*?) *\| (.*?) *\|$/gm);
  return Object.fromEntries(
    Array.from(rows, ([, name, type, labels, help]) => [
      name,
      { type: type!, labels: Array.from(labels!.matchAll(/`(\w+)`/g), ([, label]) => label!), help: help! },
    ]),
  );
}
