import { parseArgs } from 'node:util';
import { documentedCaseNames, listCaseTitles, searchCaseNames } from './dataset/list-cases.ts';
import { type LoadToolName, loadToolNames } from './load/load-slice.ts';
import { type DatabaseVia, databaseVias } from './servers/bench-database.ts';
import { type ContenderName, contenderNames } from './servers/contender.ts';

const storeNames = ['sqlite', 'postgres'] as const;

type StoreName = (typeof storeNames)[number];

const writeCaseNames = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8'] as const;

const casesOfStore = {
  sqlite: [
    ...documentedCaseNames,
    'import',
    'latency',
    'transfer',
    'access',
    'memory',
    'cold',
    ...searchCaseNames,
    'F5',
    'F6',
    ...writeCaseNames,
    'S1',
    'S2',
  ],
  postgres: [
    ...documentedCaseNames.filter((name) => name !== '304'),
    'import',
    'question',
    'nodes',
    'watchers',
    'F6',
    ...writeCaseNames,
  ],
} as const satisfies Record<StoreName, readonly string[]>;

type CaseName = (typeof casesOfStore)[StoreName][number];

/** Run only when they are named: with them, a run would take longer than ten minutes. */
const namedCases: ReadonlySet<string> = new Set([
  ...searchCaseNames,
  'F5',
  'F6',
  'S1',
  'S2',
  ...writeCaseNames,
]);

const caseTitles: Readonly<Record<CaseName, string>> = {
  ...listCaseTitles,
  F5: 'latency of searches for five letters',
  F6: 'latency of searches of all stations for what is firing',
  S1: 'sync with a real Prometheus: 5 000 hosts, 500 rules, 20 000 alerts',
  S2: 'storm: 10 000 of 100 000 states change at once',
  import: 'records per second through the write path',
  latency: 'list latency while an import runs',
  transfer: 'import, dry run, export and import of the export',
  access: 'lists with tokens compared with lists without',
  memory: 'resident memory per resource',
  cold: 'from start to first answer on existing data',
  question: 'latency that the freshness query adds to a list, unloaded',
  nodes: 'writes on one node, read and watched on another',
  watchers: '1000 change streams, 100 of them unread',
  W1: 'one writer, one resource at a time',
  W2: '16 writers to one station',
  W3: '64 writers to one station',
  W4: '64 writers to 64 stations',
  W5: 'batches of 1k, 10k and 100k state changes',
  W6: 'a batch of 10k state changes at every size',
  W7: 'list latency during 1000 small writes per second',
  W8: 'first list after an import',
};

const sizesByName: Readonly<Record<string, number>> = { '10k': 10_000, '100k': 100_000, '1M': 1_000_000 };

export interface BenchOptions {
  readonly store: StoreName;
  readonly sizes: readonly number[];
  readonly cases: ReadonlySet<CaseName>;
  /** The first is measured against the raw server in every round, the others once. */
  readonly contenders: readonly ContenderName[];
  readonly rounds: number;
  /** Undefined selects the best installed tool. */
  readonly load: LoadToolName | undefined;
  /** How nodes reach PostgreSQL. */
  readonly via: DatabaseVia;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** On PostgreSQL a third process shares the cores, so more rounds are needed; only one size is measured. */
const defaultRounds = { sqlite: 9, postgres: 27 };

export const usage = `Usage: npm run bench -- [options]

  --store <name>       ${storeNames.join(' or ')} (default: sqlite)
  --sizes <list>       of ${Object.keys(sizesByName).join(', ')} (default: all; on postgres 100k)
  --cases <list>       of the cases below (default: all but F1 to F6, S1, S2 and W1 to W8)
  --contenders <list>  of ${contenderNames.join(', ')}; the first is the subject (default: all)
  --rounds <n>         measured rounds per list case, 1 to 99 (default: ${defaultRounds.sqlite}; on postgres ${defaultRounds.postgres})
  --load <tool>        ${loadToolNames.join(' or ')} (default: wrk where it is installed)
  --via <way>          how nodes reach PostgreSQL: ${databaseVias.join(' or ')} (default: tcp)
  --help               print this

Cases:
${casesOfStore.sqlite.map(describeCase).join('\n')}

Cases on postgres, where lists are compared with those on sqlite:
${casesOfStore.postgres.map(describeCase).join('\n')}
`;

function describeCase(name: CaseName): string {
  return `  ${name.padEnd(9)}${caseTitles[name]}`;
}

/** Undefined asks for the usage text. Throws `UsageError`. */
export function parseArguments(args: readonly string[]): BenchOptions | undefined {
  const values = readFlags(args);
  if (values.help) return undefined;
  const [store] = choose('--store', values.store ?? 'sqlite', storeNames);
  const rounds = Number(values.rounds ?? defaultRounds[store!]);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 99) {
    throw new UsageError(`--rounds must be a whole number between 1 and 99, got "${values.rounds}"`);
  }
  const sizeList = values.sizes ?? (store === 'postgres' ? '100k' : undefined);
  const sizes = choose('--sizes', sizeList, Object.keys(sizesByName)).map((name) => sizesByName[name]!);
  return {
    store: store!,
    sizes: sizes.sort((a, b) => a - b),
    cases: new Set(chooseCases(values.cases, casesOfStore[store!])),
    contenders: choose('--contenders', values.contenders, contenderNames),
    rounds,
    via: choose('--via', values.via ?? 'tcp', databaseVias)[0]!,
    load: values.load === undefined ? undefined : choose('--load', values.load, loadToolNames)[0],
  };
}

function readFlags(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    store: text,
    sizes: text,
    cases: text,
    contenders: text,
    rounds: text,
    load: text,
    via: text,
    help: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function chooseCases(list: string | undefined, known: readonly CaseName[]): CaseName[] {
  const chosen = choose<CaseName>('--cases', list, known);
  return list === undefined ? chosen.filter((name) => !namedCases.has(name)) : chosen;
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
