/** The part of JSON Schema that settings use. */
export interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ValueSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly patternProperties?: Readonly<Record<string, ValueSchema>>;
}

/** What is wrong with a part of a value, and the path to it. */
export interface InvalidPart {
  readonly path: readonly string[];
  readonly reason: string;
}

/**
 * The path to the first invalid part of a value, empty for the whole value; undefined if it is valid. A test compares it
 * with TypeBox, which would add 11 % to 31 % to the processor time of a cold start with 100 000 resources.
 */
export function validate(schema: ValueSchema, value: unknown): readonly string[] | undefined {
  if (schema.anyOf !== undefined) return validateAny(schema.anyOf, value);
  if (schema.enum !== undefined) return schema.enum.includes(value) ? undefined : [];
  switch (schema.type) {
    case undefined:
      return undefined;
    case 'string':
      return isText(schema, value) ? undefined : [];
    case 'integer':
      return isNumber(schema, value) ? undefined : [];
    case 'array':
      if (!Array.isArray(value) || value.length < (schema.minItems ?? 0)) return [];
      return validateParts(schema.items ?? {}, value);
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
      return validateParts(Object.values(schema.patternProperties ?? {})[0]!, value);
    default:
      return typeof value === schema.type ? undefined : [];
  }
}

/** The schema that accepts most of the value is the one that was meant. */
function validateAny(schemas: readonly ValueSchema[], value: unknown): readonly string[] | undefined {
  const paths = schemas.map((schema) => validate(schema, value));
  if (paths.includes(undefined)) return undefined;
  return paths.reduce((longest, path) => (path!.length > longest!.length ? path : longest));
}

function isText({ minLength = 0, maxLength = Infinity, pattern = '' }: ValueSchema, value: unknown): boolean {
  if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) return false;
  return new RegExp(pattern, 'u').test(value);
}

function isNumber({ minimum = -Infinity, maximum = Infinity }: ValueSchema, value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
}

function validateParts(schema: ValueSchema, value: object): string[] | undefined {
  for (const [name, part] of Object.entries(value)) {
    const path = validate(schema, part);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}
