import type { Static, TSchema } from 'typebox';
import type { Form } from './find-misfit.ts';

/** What is said of a setting beside its form. */
interface About<Value> {
  /** What it does, in whole sentences of Markdown. */
  readonly about: string;
  /** What is allowed, as it follows "must be"; needed where the form does not say enough. */
  readonly allowed?: string;
  /** A setting that has neither this nor `computed` is `Type.Optional`. */
  readonly default?: Value;
  /** A default that depends on the machine, or on settings that stand before this one. */
  readonly computed?: Computed<Value>;
  readonly examples?: readonly Value[];
  /** What stands for the value in the help of `roster serve`, empty for a switch. Without it there is no flag. */
  readonly flag?: string;
  /** What the form cannot say: what is wrong with a value, as it follows the name of the setting. */
  readonly check?: (value: Value) => string | undefined;
  /** Never shown, and may come from a file: `url` also from the one that `urlFile` names. */
  readonly isSecret?: boolean;
  /** The path of a file or directory. In the configuration file it is relative to that file. */
  readonly isPath?: boolean;
}

interface Computed<Value> {
  /** For people. */
  readonly text: string;
  readonly of: (before: ReadonlyMap<string, unknown>) => Value;
}

/** The schema of one setting: JSON Schema, and what only we know. */
export interface SettingSchema extends TSchema, Form {
  readonly description: string;
  readonly default?: unknown;
  readonly setting: Pick<About<unknown>, 'computed' | 'flag' | 'check' | 'isSecret' | 'isPath'> & {
    readonly allowed: string;
  };
}

/** One setting of the table: a form, and what is said of it. */
export function setting<Schema extends TSchema>(schema: Schema, given: About<Static<Schema>>): Schema {
  const { about, default: fallback, examples, ...traits } = given;
  return Object.assign(schema, {
    description: about,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(examples === undefined ? {} : { examples }),
    setting: { ...traits, allowed: given.allowed ?? allowedBy(schema) },
  });
}

function allowedBy(schema: Form): string {
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  throw new Error('what is allowed has to be said');
}
