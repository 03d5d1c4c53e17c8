import { UsageError } from './errors.ts';
import type { Flag, Flags } from './flags.ts';

// An import would read every export of node:util, which takes a tenth of the whole start.
const { parseArgs } = process.getBuiltinModule('node:util');

type Value = string | true;

/** The parsed words after a command: arguments in order, and flags. */
export class Arguments {
  readonly positionals: readonly string[];
  readonly #values: ReadonlyMap<string, readonly Value[]>;

  private constructor(positionals: readonly string[], values: ReadonlyMap<string, readonly Value[]>) {
    this.positionals = positionals;
    this.#values = values;
  }

  static parse(words: readonly string[], flags: Flags): Arguments {
    const { tokens } = parseArgs({
      args: [...words],
      options: Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, optionOf(flag)])),
      strict: false,
      tokens: true,
    });
    const positionals: string[] = [];
    const values = new Map<string, Value[]>();
    for (const token of tokens) {
      if (token.kind === 'positional') positionals.push(token.value);
      if (token.kind !== 'option') continue;
      const earlier = values.get(token.name) ?? [];
      values.set(token.name, [...earlier, readValue(token, flags, earlier.length > 0)]);
    }
    return new Arguments(positionals, values);
  }

  isSet(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.[0] as string | undefined;
  }

  /** All values of a flag, with comma-separated lists split. */
  list(name: string): string[] | undefined {
    const values = this.#values.get(name) as string[] | undefined;
    return values?.flatMap((value) => value.split(',')).filter((value) => value !== '');
  }

  all(name: string): readonly string[] {
    return (this.#values.get(name) ?? []) as string[];
  }

  /** `otherwise` is a word also allowed, which the caller has already handled. */
  count(name: string, min = 0, otherwise?: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min) return value;
    const allowed = `a whole number of at least ${min}${otherwise === undefined ? '' : `, or ${otherwise}`}`;
    throw new UsageError(`--${name} must be ${allowed}, got ${JSON.stringify(text)}`);
  }
}

function optionOf({ type, short }: Flag): { type: 'boolean' | 'string'; short?: string } {
  return short === undefined ? { type } : { type, short };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function readValue(
  { name, rawName, value, inlineValue }: OptionToken,
  flags: Flags,
  isRepeated: boolean,
): Value {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const known = Object.keys(flags).map((each) => `--${each}`);
    throw new UsageError(`unknown flag ${rawName}`, { given: rawName, known });
  }
  if (isRepeated && flag.multiple !== true) throw new UsageError(`${rawName} may be given only once`);
  if (flag.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value, got ${JSON.stringify(value)}`);
    return true;
  }
  // A dash before a digit is a minus sign: no flag starts that way.
  const isAnotherFlag = inlineValue !== true && value !== undefined && /^-[^\d]/.test(value);
  const isMissing = value === undefined || (value === '' && flag.mayBeEmpty !== true);
  if (isMissing || isAnotherFlag) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${flag.value ?? 'VALUE'}`);
  }
  if (flag.choices !== undefined && !flag.choices.includes(value)) {
    const message = `${rawName} must be one of ${flag.choices.join(', ')}, got ${JSON.stringify(value)}`;
    throw new UsageError(message, { given: value, known: flag.choices });
  }
  return value;
}
