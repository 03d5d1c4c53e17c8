import { expect, it } from 'vitest';
import { clientText, commandText, curlText } from './request-text.ts';

const address = { subscription: 'demo', resourceGroup: 'a b', zone: 'z', name: "it's" };
const request = {
  origin: 'http://127.0.0.1:8080',
  address,
  filters: {
    displayNamePrefix: "o'k",
    resourceTypes: ['t.a', 't.b'],
    enabledAlert: true,
    resourceIds: ['x'],
  },
  needsToken: false,
};

it('writes a list as a curl command for the shell', () => {
  expect(curlText(request)).toBe(
    `curl 'http://127.0.0.1:8080/monitor/ts/data/v1/subscriptions/demo/resourceGroups/a%20b/zones/z/telemetryStations/it'\\''s/resources?resource_display_name_prefix=o%27k&resource_types=t.a%2Ct.b&enabled_alert=true&resource_ids=x&page.offset=0&page.size=100'`,
  );
});

it('writes a list as a command, with one flag for each item', () => {
  expect(commandText(request)).toBe(
    `roster list 'demo/a%20b/z/it'\\''s' --server http://127.0.0.1:8080 --type t.a --type t.b --prefix 'o'\\''k' --id x --alertable`,
  );
});

it('writes a type beside a list of types as what both allow', () => {
  const filters = { resourceType: 't.b', resourceTypes: ['t.a', 't.b'] };
  expect(commandText({ ...request, filters })).toMatch(/ --type t\.b$/);
});

it('writes a list as code of the client', () => {
  expect(clientText({ ...request, filters: { product: 'product.x' } })).toContain(
    'station.listAll({"product":"product.x"})',
  );
});

it('takes the token from the environment where one is needed', () => {
  const guarded = { ...request, needsToken: true };
  expect(curlText(guarded)).toMatch(/^curl -H "Authorization: Bearer \$ROSTER_TOKEN" 'http/);
  expect(clientText(guarded)).toContain('token: process.env.ROSTER_TOKEN }');
});
