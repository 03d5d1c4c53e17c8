import type { Static, TSchema, Type as TypeBox } from 'typebox';
import type { InvalidPart, ValueSchema } from './validate.ts';

type Builders = Pick<
  typeof TypeBox,
  'Array' | 'Boolean' | 'Enum' | 'Integer' | 'Object' | 'Optional' | 'Record' | 'String' | 'Union' | 'Unknown'
>;
type Options = Readonly<Record<string, unknown>>;

/** Builders with the types of TypeBox but without its code: see `validate`. */
export const Type = {
  String: (options?: Options) => ({ type: 'string', ...options }),
  Boolean: (options?: Options) => ({ type: 'boolean', ...options }),
  Integer: (options?: Options) => ({ type: 'integer', ...options }),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Unknown: () => ({}),
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

/** What a setting has in addition to its schema. */
interface About<Value> {
  /** What it does, in whole sentences of Markdown. */
  readonly about: string;
  /** What is allowed, to follow "must be". By default made from the schema, if possible. */
  readonly allowed?: string;
  /** A setting with neither this nor `computed` is `optional`. */
  readonly default?: Value;
  /** A default that depends on the machine, or on settings above this one. */
  readonly computed?: {
    readonly text: string;
    readonly of: (before: ReadonlyMap<string, unknown>) => Value;
  };
  readonly examples?: readonly Value[];
  /** The placeholder of its flag in the help of `roster serve`, empty for a switch. Without it there is no flag. */
  readonly flag?: string;
  /** Checks what the schema cannot. Returns what is wrong, to follow the name of the setting. */
  readonly check?: (value: Value) => string | undefined;
  /** The same for a value with parts. */
  readonly checkParts?: (value: Value) => readonly InvalidPart[];
  /** Never shown. May also be read from a file: `url` from the one that `urlFile` names. */
  readonly isSecret?: boolean;
  /** A path; in the configuration file, relative to that file. */
  readonly isPath?: boolean;
}

/** The schema of one setting: JSON Schema, and our own additions. */
export interface SettingSchema extends TSchema, ValueSchema {
  readonly description: string;
  readonly default?: unknown;
  readonly setting: Pick<
    About<unknown>,
    'computed' | 'flag' | 'check' | 'checkParts' | 'isSecret' | 'isPath'
  > & {
    readonly allowed: string;
  };
}

export function setting<Schema extends TSchema>(schema: Schema, given: About<Static<Schema>>): Schema {
  const { about, default: fallback, examples, ...traits } = given;
  return Object.assign(schema, {
    description: about,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(examples === undefined ? {} : { examples }),
    setting: { ...traits, allowed: given.allowed ?? allowedBy(schema) },
  });
}

export function optional<Schema extends TSchema>(schema: Schema, given: About<Static<Schema>>) {
  return Type.Optional(setting(schema, given));
}

function allowedBy(schema: ValueSchema): string {
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  throw new Error('`allowed` is required here');
}
