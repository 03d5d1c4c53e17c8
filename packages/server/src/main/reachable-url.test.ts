import { expect, it } from 'vitest';
import { reachableUrl } from './reachable-url.ts';

it('is localhost for all addresses, and else as it was', () => {
  expect(reachableUrl('http://0.0.0.0:8080')).toBe('http://localhost:8080');
  expect(reachableUrl('https://[::]:8443/metrics')).toBe('https://localhost:8443/metrics');
  for (const url of [
    'http://127.0.0.1:8080',
    'http://10.0.0.0:80',
    'http://[::1]:80',
    'http://[fd00::]:80',
  ]) {
    expect(reachableUrl(url)).toBe(url);
  }
});
