import { expect, it } from 'vitest';
import { anonymousAdmin, nameWithId, type Principal } from './principal.ts';

const user = (name: string): Principal => ({ ...anonymousAdmin, kind: 'oidc', id: 'sub', name });

it('calls nobody who signed in by the name of a token, a source or the server', () => {
  expect(nameWithId({ ...user('nightly'), kind: 'token', id: 'tok_1' })).toBe('nightly (tok_1)');
  expect(nameWithId(anonymousAdmin)).toBe('anonymous');
  expect(nameWithId(user('ada'))).toBe('ada');
  const impostors = ['source:prom', 'anonymous', 'nightly (tok_1)', 'user:ada', 'roster copy'];
  expect(impostors.map((name) => nameWithId(user(name)))).toEqual(impostors.map((name) => `user:${name}`));
});
