import { parseArgs } from 'node:util';
import { type ListCaseName, listCaseNames, listCaseTitles } from './dataset/list-cases.ts';
import { type ContenderName, contenderNames } from './servers/contender.ts';

const otherCaseNames = ['import', 'latency', 'transfer', 'access', 'memory', 'cold'] as const;

type CaseName = ListCaseName | (typeof otherCaseNames)[number];

const caseNames: readonly CaseName[] = [...listCaseNames, ...otherCaseNames];

const caseTitles: Readonly<Record<CaseName, string>> = {
  ...listCaseTitles,
  import: 'records per second through the write path',
  latency: 'list latency while an import runs',
  transfer: 'import, dry run, export and import of the export',
  access: 'lists with tokens beside lists without',
  memory: 'resident memory per resource',
  cold: 'from start to first answer on existing data',
};

const sizesByName: Readonly<Record<string, number>> = { '10k': 10_000, '100k': 100_000, '1M': 1_000_000 };

export interface BenchOptions {
  readonly sizes: readonly number[];
  readonly cases: ReadonlySet<CaseName>;
  /** The first is measured against the raw server in every round, the others once. */
  readonly contenders: readonly ContenderName[];
  readonly rounds: number;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: npm run bench -- [options]

  --sizes <list>       of ${Object.keys(sizesByName).join(', ')} (default: all)
  --cases <list>       of the cases below (default: all)
  --contenders <list>  of ${contenderNames.join(', ')}; the first is the subject (default: all)
  --rounds <n>         measured rounds per list case, 1 to 99 (default: 5)
  --help               print this

Cases:
${caseNames.map((name) => `  ${name.padEnd(9)}${caseTitles[name]}`).join('\n')}
`;

/** Undefined asks for the usage text. Throws `UsageError`. */
export function parseArguments(args: readonly string[]): BenchOptions | undefined {
  const values = readFlags(args);
  if (values.help) return undefined;
  const rounds = Number(values.rounds ?? '5');
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 99) {
    throw new UsageError(`--rounds must be a whole number between 1 and 99, got "${values.rounds}"`);
  }
  const sizes = choose('--sizes', values.sizes, Object.keys(sizesByName)).map((name) => sizesByName[name]!);
  return {
    sizes: sizes.sort((a, b) => a - b),
    cases: new Set(choose('--cases', values.cases, caseNames)),
    contenders: choose('--contenders', values.contenders, contenderNames),
    rounds,
  };
}

function readFlags(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    sizes: text,
    cases: text,
    contenders: text,
    rounds: text,
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function choose<Name extends string>(flag: string, list: string | undefined, known: readonly Name[]): Name[] {
  if (list === undefined) return [...known];
  const chosen = list.split(',').map((item) => item.trim());
  const unknown = chosen.find((item) => !known.includes(item as Name));
  if (unknown !== undefined) {
    throw new UsageError(`${flag} takes a list of ${known.join(', ')}, got "${unknown}"`);
  }
  return [...new Set(chosen)] as Name[];
}
