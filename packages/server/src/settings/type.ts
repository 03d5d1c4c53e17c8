import type { TSchema, Type as TypeBox } from 'typebox';

type Builders = Pick<
  typeof TypeBox,
  'Array' | 'Boolean' | 'Enum' | 'Integer' | 'Object' | 'Optional' | 'Record' | 'String' | 'Union'
>;
type Options = Readonly<Record<string, unknown>>;

/**
 * The builders of TypeBox that settings are made with, and its types. Settings are read at every start, and to load
 * TypeBox itself took a third of it.
 */
export const Type = {
  String: (options?: Options) => ({ type: 'string', ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Array: (items: TSchema, options?: Options) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly TSchema[], options?: Options) => ({ anyOf, ...options }),
  Record: (_name: TSchema, value: TSchema, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Object: (properties: Readonly<Record<string, TSchema>>, options?: Options) => ({
    type: 'object',
    properties,
    ...options,
  }),
  Optional: (schema: TSchema) => Object.defineProperty(schema, '~optional', { value: true }),
} as unknown as Builders;
