import { type Access, parseScope, type Role, type StationAddress } from '@roster/contract';
import { describe, expect, it } from 'vitest';
import { anonymousAdmin, type Principal } from '../http/principal.ts';
import { authorise } from './authorise.ts';

const station: StationAddress = { subscription: 'a', resourceGroup: 'b', zone: 'c', name: 'd' };

const principal = (role: Role, ...scopes: string[]): Principal => ({
  ...anonymousAdmin,
  kind: 'token',
  role,
  scopes: scopes.map(parseScope),
});

const isAllowed = (access: Access, caller: Principal) => {
  try {
    authorise(access, caller, station);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return false;
  }
};

describe('authorise', () => {
  it.each<[Access, Principal, boolean]>([
    ['open', principal('reader', 'x/**'), true],
    [{ role: 'reader', over: 'station' }, principal('reader', 'a/**'), true],
    [{ role: 'reader', over: 'station' }, principal('reader', 'x/**', 'a/b/c/d'), true],
    [{ role: 'reader', over: 'station' }, principal('admin', 'x/**', 'a/b/c/e'), false],
    [{ role: 'reader', over: 'station' }, principal('admin'), false],
    [{ role: 'writer', over: 'station' }, principal('reader', '**'), false],
    [{ role: 'writer', over: 'station' }, principal('admin', '**'), true],
    [{ role: 'reader', over: 'own' }, principal('reader', 'x/**'), true],
    [{ role: 'admin', over: 'own' }, principal('writer', '**'), false],
    [{ role: 'admin', over: 'everything' }, principal('admin', 'a/**'), false],
    [{ role: 'admin', over: 'everything' }, principal('admin', 'a/**', '*/**'), true],
    [{ role: 'admin', over: 'everything' }, anonymousAdmin, true],
  ])('%j for %j: %s', (access, caller, expected) => {
    expect(isAllowed(access, caller)).toBe(expected);
    expect(isAllowed(access, caller)).toBe(expected);
  });
});
