import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mayRepeatMembers } from './may-repeat-members.ts';
import { scanJson } from './scan-json.ts';

it('never says no where a member comes twice, and the scan tells the two apart', () => {
  const name = fc.constantFrom('a', 'b', 'c:', ': d', '');
  const leaf = fc.oneof(
    fc.integer(),
    fc.constant(null),
    fc.string({ unit: fc.constantFrom('"', ':', '\\', 'x') }),
  );
  const { value: any } = fc.letrec<{ value: Part }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf.map((value): Part => ({ text: JSON.stringify(value), repeats: false })),
      fc.array(tie('value'), { maxLength: 3 }).map(
        (items): Part => ({
          text: `[${items.map(({ text }) => text)}]`,
          repeats: items.some(({ repeats }) => repeats),
        }),
      ),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map(
        (members): Part => ({
          text: `{${members.map(([key, { text }]) => `${JSON.stringify(key)} : ${text}`)}}`,
          repeats:
            new Set(members.map(([key]) => key)).size < members.length ||
            members.some(([, { repeats }]) => repeats),
        }),
      ),
    ),
  }));
  fc.assert(
    fc.property(any, ({ text, repeats }) => {
      expect(scanJson(text).repeated !== undefined).toBe(repeats);
      if (repeats) expect(mayRepeatMembers(text, JSON.parse(text))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('says no to a plain record', () => {
  const text = '{"name":"a","create_time":"2025-06-11T11:12:12Z","resource_type":{"key":"k","label":"l: m"}}';
  expect(mayRepeatMembers(text, JSON.parse(text))).toBe(false);
});

it('takes values that are nested deeper than the stack', () => {
  const text = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  expect(mayRepeatMembers(text, JSON.parse(text))).toBe(false);
});

interface Part {
  readonly text: string;
  readonly repeats: boolean;
}
