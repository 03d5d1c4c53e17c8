import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeReturnPath } from './sign-in-attempt.ts';

it.each(['/', '/types', '/stations/a/b/c/d?resource_type=x&page=1#top', '/stations/%E4%B8%AD//x'])(
  'leads back to %s',
  (path) => {
    expect(safeReturnPath(path)).toBe(path);
  },
);

it.each([
  undefined,
  '',
  'types',
  'https://evil.example/',
  '//evil.example/',
  '///evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/..//evil.example/',
  '/.//evil.example/',
  '/x/..//evil.example',
  '/%2e%2e//evil.example',
  '\\\\evil.example',
  'javascript:alert(1)',
  '//[',
])('leads from %j to the start page', (path) => {
  expect(safeReturnPath(path)).toBe('/');
});

it('never leaves the server, and never breaks a header', () => {
  const text = fc.string({
    unit: fc.constantFrom('/', '\\', '.', '%2e', 'a', '@', ':', '?', '#', '\t', '\r\n', ' ', '中'),
  });
  fc.assert(
    fc.property(text, (rest) => {
      const path = safeReturnPath(`/${rest}`);
      expect(new URL(path, 'https://here.example').origin).toBe('https://here.example');
      expect(path).toMatch(/^[\x21-\x7e]+$/);
    }),
    { numRuns: 5000 },
  );
});
