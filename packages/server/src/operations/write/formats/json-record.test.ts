import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayRepeatMembers, scanJson } from './json-record.ts';

const stringify = fc.tuple(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(undefined, 1));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('scanJson', () => {
  it('reads JSON to its end', () => {
    fc.assert(
      fc.property(stringify, ([value, indent]) => {
        const text = JSON.stringify(value, null, indent);
        expect(scanJson(text).stoppedAt).toBe(text.length);
      }),
    );
  });

  it('stops before the end of what is not JSON unless more could follow', () => {
    fc.assert(
      fc.property(
        stringify,
        fc.nat(),
        fc.constantFrom('x', ',', ']', '}', ':', '"', '\u0000'),
        ([value], at, wrong) => {
          const text = JSON.stringify(value);
          const cut = at % (text.length + 1);
          const broken = text.slice(0, cut) + wrong + text.slice(cut);
          const { stoppedAt } = scanJson(broken);
          if (isJson(broken)) expect(stoppedAt).toBe(broken.length);
          else if (stoppedAt < broken.length) expect(isJson(broken.slice(0, stoppedAt + 1))).toBe(false);
          else expect(() => JSON.parse(broken)).toThrow(/end of JSON|Unterminated|after|Expected/);
        },
      ),
    );
  });

  it.each([
    ['{"a": x}', 6],
    ['{"a":1,}', 7],
    ['{"a":"b\u0000c"}', 7],
    ['{"a":"\\q"}', 6],
    ['[1 2]', 3],
    ['{"a":1}}', 7],
    ['{"a" 1}', 5],
    ['[01]', 2],
    ['{"a":tru}', 5],
    ['{"a"', 4],
    ["{'a': 1}", 1],
  ])('stops in %j at %i', (text, offset) => {
    expect(scanJson(text).stoppedAt).toBe(offset);
  });

  it('knows where the members of the outermost object are', () => {
    const text = '{ "a": {"b": 1}, "\\u0063":[{"d":2}], "a": 3 }';
    expect([...scanJson(text).members]).toEqual([
      ['a', text.lastIndexOf('"a"')],
      ['c', text.indexOf('"\\u0063"')],
    ]);
  });

  it('follows any nesting', () => {
    const text = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(scanJson(text).stoppedAt).toBe(text.length);
  });
});

interface Part {
  readonly text: string;
  readonly repeats: boolean;
}

describe('mayRepeatMembers', () => {
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
    const text =
      '{"name":"a","create_time":"2025-06-11T11:12:12Z","resource_type":{"key":"k","label":"l: m"}}';
    expect(mayRepeatMembers(text, JSON.parse(text))).toBe(false);
  });

  it('takes values that are nested deeper than the stack', () => {
    const text = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(mayRepeatMembers(text, JSON.parse(text))).toBe(false);
  });
});
