import fc from 'fast-check';
import { Type as TypeBox } from 'typebox';
import { Check } from 'typebox/schema';
import { expect, it } from 'vitest';
import { Type } from './setting.ts';
import { namedSettings } from './setting-names.ts';
import { validate } from './validate.ts';

const numbers = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, 1, 65_535, 65_536, 1e9));
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom('', 'on', 'off', 'info', 'localhost', 'reader', '10.0.0.0/8', '**'),
);
const scalars = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null));
const values = fc.oneof(
  scalars,
  fc.array(scalars),
  fc.dictionary(fc.string(), scalars),
  fc.dictionary(fc.string(), fc.array(texts)),
);

it('agrees with TypeBox about every setting and every value', () => {
  fc.assert(
    fc.property(fc.constantFrom(...namedSettings), values, ({ schema }, value) => {
      expect(validate(schema, value) === undefined).toBe(Check(schema, value));
    }),
    { numRuns: 2_000 },
  );
});

it('returns the path to the invalid part', () => {
  const schema = Type.Union([Type.Boolean(), Type.Array(Type.String({ pattern: '^a' }))]);
  expect(validate(schema, ['a', 'b'])).toEqual(['1']);
  expect(validate(schema, 'a')).toEqual([]);
  expect(validate(Type.Record(Type.String(), Type.Enum(['x'])), { fine: 'x', 'a/b': 'y' })).toEqual(['a/b']);
});

it('builds what TypeBox builds', () => {
  const build = (from: typeof Type) => [
    from.String({ minLength: 1 }),
    from.Boolean(),
    from.Integer({ minimum: 1 }),
    from.Enum(['on', 'off'], { default: 'on' }),
    from.Array(from.String(), { minItems: 1 }),
    from.Union([from.Boolean(), from.String()]),
    from.Record(from.String({ minLength: 1 }), from.Boolean()),
    from.Optional(from.String()),
    from.Object({ inside: from.Optional(from.String()) }, { description: 'a section' }),
  ];
  expect(JSON.parse(JSON.stringify(build(Type)))).toEqual(JSON.parse(JSON.stringify(build(TypeBox))));
});
