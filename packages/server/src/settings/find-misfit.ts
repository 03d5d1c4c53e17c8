/** As much of a JSON Schema as settings have. */
export interface Form {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Form[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly items?: Form;
  readonly minItems?: number;
  readonly patternProperties?: Readonly<Record<string, Form>>;
}

/** The way to the part of a value that has not its form; empty for the value as a whole, undefined when all fits. */
export function findMisfit(form: Form, value: unknown): readonly string[] | undefined {
  if (form.anyOf !== undefined) return nearestMiss(form.anyOf, value);
  if (form.enum !== undefined) return form.enum.includes(value) ? undefined : [];
  switch (form.type) {
    case 'string':
      return isText(form, value) ? undefined : [];
    case 'integer':
      return isNumber(form, value) ? undefined : [];
    case 'array':
      return misfitInList(form, value);
    case 'object':
      return misfitInMap(form, value);
    default:
      return typeof value === form.type ? undefined : [];
  }
}

/** Of several forms, the one that comes furthest is the one that was meant. */
function nearestMiss(forms: readonly Form[], value: unknown): readonly string[] | undefined {
  const misfits = forms.map((form) => findMisfit(form, value));
  if (misfits.includes(undefined)) return undefined;
  return misfits.reduce((far, misfit) => (misfit!.length > far!.length ? misfit : far));
}

function isText({ minLength = 0, pattern = '' }: Form, value: unknown): boolean {
  return typeof value === 'string' && value.length >= minLength && new RegExp(pattern, 'u').test(value);
}

function isNumber({ minimum = -Infinity, maximum = Infinity }: Form, value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
}

function misfitInList({ items = {}, minItems = 0 }: Form, value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length < minItems) return [];
  return firstMisfit(Object.entries(value), items);
}

function misfitInMap({ patternProperties = {} }: Form, value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return firstMisfit(Object.entries(value), Object.values(patternProperties)[0]!);
}

function firstMisfit(parts: readonly (readonly [string, unknown])[], form: Form): string[] | undefined {
  for (const [name, part] of parts) {
    const misfit = findMisfit(form, part);
    if (misfit !== undefined) return [name, ...misfit];
  }
  return undefined;
}
