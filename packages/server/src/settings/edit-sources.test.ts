import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { addSource, removeSource } from './edit-sources.ts';

const source = {
  name: 'new',
  prometheus: { url: 'http://x' },
  stations: ['a'],
  tie: [{ label: 'l', to: 'name' }],
};

it.each([
  ['an empty file', ''],
  ['a comment', '# nothing yet\n'],
  ['no sources, and no newline at the end', 'port: 1'],
  ['an empty list', 'sources: []\nport: 1\n'],
  ['no value', 'sources:\nport: 1\n'],
  ['a list that is not indented', 'sources:\n- name: a\n  x: 1\n- name: b'],
  ['a deeper list with comments', 'sources:\n     # one\n     - name: a # here\n     # two\n\nport: 1\n'],
  ['a list in brackets', 'port: 1\nsources: [{ name: a }, { name: b }]\n'],
  ['JSON', '{"port": 1, "sources": [{"name": "a"}]}'],
  ['JSON without sources', '{"port": 1}'],
  ['long texts', `sources:\n  - name: a\n    x: >-\n      ${'word '.repeat(40)}\n  - name: b\n`],
  ['Windows line ends', 'sources:\r\n  - name: a\r\n    x: 1\r\nport: 1\r\n'],
])('adds a source to %s, and removes it again', (_, text) => {
  const before = (parse(text) ?? {}) as { sources?: unknown[] };
  const count = before.sources?.length ?? 0;
  const added = addSource(text, source);
  expect(parse(added)).toEqual({ ...before, sources: [...(before.sources ?? []), source] });
  const removed = parse(removeSource(added, count));
  expect(removed).toEqual({ ...before, sources: before.sources ?? [] });
});

it('keeps every comment when it removes one of several', () => {
  const text = 'sources:\n  # one\n  - name: a # A\n  # two\n  - name: b # B\n  # end\nport: 1 # P\n';
  expect(removeSource(text, 0)).toBe('sources:\n  # one\n  # two\n  - name: b # B\n  # end\nport: 1 # P\n');
  expect(removeSource(text, 1)).toBe('sources:\n  # one\n  - name: a # A\n  # two\n  # end\nport: 1 # P\n');
});
