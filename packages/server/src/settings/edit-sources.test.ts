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
  ['an empty list with a comment', 'sources: [] # none yet\nport: 1\n'],
  ['an empty list with a comment in it', 'sources: [ # none yet\n]\nport: 1\n'],
  ['no value, with a comment', 'sources: # none yet\n  # nor here\nport: 1\n'],
  [
    'a list in brackets over several lines',
    'sources: [ # ours\n  { name: a }, # one\n  # two\n  { name: b } # b\n  # end\n] # all\nport: 1\n',
  ],
  ['one with a comma at its end', 'sources: [\n  { name: a }, # one\n  { name: b }, # two\n]\n'],
  [
    'an object in brackets with comments',
    '{ # top\n  port: 1, # P\n  sources: [{ name: a }], # S\n  # end\n}\n',
  ],
  ['JSON', '{"port": 1, "sources": [{"name": "a"}]}'],
  ['JSON without sources', '{"port": 1}'],
  ['JSON of nothing', '{}'],
  ['JSON with no list', '{"sources": null}'],
  ['JSON over several lines', '{\n  "port": 1,\n  "sources": [\n    {"name": "a"}\n  ]\n}\n'],
  ['long texts', `sources:\n  - name: a\n    x: >-\n      ${'word '.repeat(40)}\n  - name: b\n`],
  ['Windows line ends', 'sources:\r\n  - name: a\r\n    x: 1\r\nport: 1\r\n'],
  ['Windows line ends without sources', 'port: 1\r\n'],
  ['Windows line ends and an empty list', 'port: 1\r\nsources: [] # none\r\n'],
  ['Windows line ends and brackets', 'sources: [\r\n  { name: a }, # one\r\n  { name: b } # two\r\n]\r\n'],
])('adds a source to %s, and removes it again', (_, text) => {
  const before = (parse(text) ?? {}) as { sources?: unknown[] };
  const count = before.sources?.length ?? 0;
  const added = addSource(text, source);
  expect(parse(added)).toEqual({ ...before, sources: [...(before.sources ?? []), source] });
  const removed = removeSource(added, count);
  expect(parse(removed)).toEqual({ ...before, sources: before.sources ?? [] });
  const comments = (each: string) => each.match(/#.*/g) ?? [];
  for (const edited of [added, removed]) {
    expect(comments(edited)).toEqual(comments(text));
    if (text.includes('\r\n')) expect(edited).not.toMatch(/(?<!\r)\n/);
    if (text.startsWith('{"')) JSON.parse(edited);
  }
});

it('keeps every comment when it removes one of several', () => {
  const text = 'sources:\n  # one\n  - name: a # A\n  # two\n  - name: b # B\n  # end\nport: 1 # P\n';
  expect(removeSource(text, 0)).toBe('sources:\n  # one\n  # two\n  - name: b # B\n  # end\nport: 1 # P\n');
  expect(removeSource(text, 1)).toBe('sources:\n  # one\n  - name: a # A\n  # two\n  # end\nport: 1 # P\n');
});

it('writes on a line of its own where others do, and takes it away again', () => {
  const text = 'sources: [\n  { name: a }, # one\n  { name: b } # two\n]\n';
  const added = addSource(text, { name: 'new' });
  expect(added).toBe('sources: [\n  { name: a }, # one\n  { name: b }, # two\n  { name: new }\n]\n');
  expect(removeSource(added, 2)).toBe(text);
  expect(removeSource(added, 0)).toBe('sources: [\n  { name: b }, # two\n  { name: new }\n]\n');
  expect(removeSource('sources: [{ name: a }, { name: b }] # all\n', 1)).toBe(
    'sources: [{ name: a }] # all\n',
  );
  expect(removeSource('sources: [{ name: a }, { name: b }] # all\n', 0)).toBe(
    'sources: [{ name: b }] # all\n',
  );
  expect(addSource('{"port": 1}', { name: 'new' })).toBe('{"port": 1, "sources": [{"name":"new"}]}');
});
