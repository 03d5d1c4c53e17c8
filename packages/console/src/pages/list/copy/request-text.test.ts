import { expect, it } from 'vitest';
import { clientText, commandText, curlText } from './request-text.ts';

const address = { subscription: 'demo', resourceGroup: 'a b', zone: 'z', name: "it's" };
const request = {
  origin: 'http://127.0.0.1:8080',
  address,
  view: {
    filters: {
      displayNamePrefix: "o'k",
      resourceTypes: ['t.a', 't.b'],
      enabledAlert: true,
      resourceIds: ['x'],
    },
  },
  needsToken: false,
};
const searching = {
  ...request,
  view: {
    filters: { text: 'r 12', states: ['firing', 'pending'], covered: false, labels: { rack: ['r1', 'r2'] } },
    order: { field: 'state_since', isDescending: true },
  },
} as const;

it('writes a list as a curl command for the shell', () => {
  expect(curlText(request)).toBe(
    `curl 'http://127.0.0.1:8080/roster/v1/subscriptions/demo/resourceGroups/a%20b/zones/z/telemetryStations/it'\\''s/resources?resource_display_name_prefix=o%27k&resource_types=t.a%2Ct.b&enabled_alert=true&resource_ids=x&page.offset=0&page.size=100'`,
  );
  expect(curlText(searching)).toContain(
    '?text=r+12&state=firing%2Cpending&covered=false&label.rack=r1%2Cr2&order_by=-state_since&page.offset=0',
  );
});

it('writes a list as a command, with one flag for each item', () => {
  expect(commandText(request)).toBe(
    `roster list 'demo/a%20b/z/it'\\''s' --server http://127.0.0.1:8080 --type t.a --type t.b --prefix 'o'\\''k' --id x --alertable`,
  );
  expect(commandText(searching)).toMatch(
    / --text 'r 12' --state firing --state pending --label rack=r1,r2 --uncovered --sort state_since:desc$/,
  );
});

it('writes a type beside a list of types as what both allow', () => {
  const filters = { resourceType: 't.b', resourceTypes: ['t.a', 't.b'] };
  expect(commandText({ ...request, view: { filters } })).toMatch(/ --type t\.b$/);
});

it('writes no command for what cannot have alerts, which has no flag', () => {
  expect(commandText({ ...request, view: { filters: { alertable: false } } })).toBeUndefined();
});

it('writes a list as code of the client', () => {
  expect(clientText({ ...request, view: { filters: { product: 'product.x' } } })).toContain(
    'station.manage.search({"product":"product.x","size":100})',
  );
  expect(clientText(searching)).toContain('"orderBy":"-state_since"');
});

it('takes the token from the environment where one is needed', () => {
  const guarded = { ...request, needsToken: true };
  expect(curlText(guarded)).toMatch(/^curl -H "Authorization: Bearer \$ROSTER_TOKEN" 'http/);
  expect(clientText(guarded)).toContain('token: process.env.ROSTER_TOKEN }');
});
