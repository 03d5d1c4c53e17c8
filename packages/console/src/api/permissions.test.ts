import type { Principal } from '@roster/client';
import { describe, expect, it } from 'vitest';
import { type Action, mayDo, rolesUpTo } from './permissions.ts';

const principal = (role: Principal['role'], ...scopes: string[]): Principal => ({
  name: 'ada',
  kind: 'token',
  role,
  scopes,
  expires_at: null,
});
const actions: readonly Action[] = ['write_resources', 'create_stations', 'edit_types', 'manage_tokens'];
const offered = (who: Principal) => actions.filter((action) => mayDo(who, action));

describe('what is offered', () => {
  it('follows the role', () => {
    expect(offered(principal('reader', '**'))).toEqual([]);
    expect(offered(principal('writer', '**'))).toEqual(['write_resources']);
    expect(offered(principal('admin', '**'))).toEqual(actions);
  });

  it('leaves types, which are for all stations, to those who have all stations', () => {
    const some = ['write_resources', 'create_stations', 'manage_tokens'];
    expect(offered(principal('admin', 'subscriptions/acme/**'))).toEqual(some);
    expect(offered(principal('admin', 'subscriptions/a*/**'))).toEqual(some);
    expect(offered(principal('admin', 'subscriptions/acme/**', 'subscriptions/*/**'))).toEqual(actions);
    const everyName = 'subscriptions/*/resourceGroups/*/zones/*/telemetryStations/*';
    expect(offered(principal('admin', everyName))).toEqual(actions);
  });

  it('of roles to give is one’s own and those below', () => {
    expect(rolesUpTo('writer')).toEqual(['reader', 'writer']);
  });
});
