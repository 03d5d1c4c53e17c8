import { type ListCaseName, listCaseNames, searchOfCase } from '../../dataset/list-cases.ts';
import type { ListRates } from '../../findings.ts';
import { formatSize } from '../../format-size.ts';
import type { Step } from '../../progress.ts';
import { openCases } from '../../report/list-figures.ts';
import { leastForLikely } from '../../statistics.ts';
import { type BenchRun, contendersAt } from '../bench-run.ts';
import { measureBeside, measureRaw, measureSubject, type Round, waitUntilIdle } from './measure-round.ts';
import { type PreparedListCase, prepareListCase } from './prepare-list-case.ts';
import { warmUpTarget } from './warm-up-target.ts';

const warmUpSeconds = 3;

/** Estimated seconds of a round at each size. */
const secondsPerSize = 1.1;

/** Extra seconds for open verdicts after all rounds, if the ten minutes of a run allow it. */
const settlingSeconds = 40;
const longestRunSeconds = 590;

/** Checks and captures, warms up, measures each case at all sizes, then repeats cases with open verdicts. */
export function listCaseSteps(run: BenchRun): Step[] {
  const { sizes, contenders, cases, rounds } = run.options;
  const names = listCaseNames.filter((name) => cases.has(name));
  if (names.length === 0) return [];
  const prepared: PreparedListCase[] = [];
  const checks = sizes.map((size) => ({
    label: `check the answers at ${formatSize(size)}`,
    seconds: names.length * (0.3 + size / 1e6),
    run: () => prepareSize(run, { size, names, prepared }),
  }));
  const warmUp = {
    label: 'warm up every server',
    seconds: warmUpSeconds * (sizes.length * contenders.length + 1),
    run: () => warmUpAll(run, prepared),
  };
  const measured = names.flatMap((name) =>
    Array.from({ length: rounds }, (_, round) => ({
      label: `${name}, round ${round + 1} of ${rounds}`,
      seconds: sizes.length * (secondsPerSize + (round === 0 ? 2 * (contenders.length - 1) : 0)),
      run: () =>
        measureSizes(
          run,
          prepared.filter((one) => one.name === name),
          round,
        ),
    })),
  );
  const settling = {
    label: 'more rounds where a verdict is open',
    seconds: settlingSeconds,
    run: () => settle(run, prepared),
  };
  return [...checks, warmUp, ...measured, settling];
}

interface PrepareSizeOptions {
  readonly size: number;
  readonly names: readonly ListCaseName[];
  readonly prepared: PreparedListCase[];
}

async function prepareSize(run: BenchRun, { size, names, prepared }: PrepareSizeOptions): Promise<void> {
  const { workspace, findings } = run;
  const contenders = contendersAt(run, size);
  for (const name of names) {
    const data = run.stations.get(size)!;
    const one = await prepareListCase(name, { workspace, raw: run.raw!, data, contenders });
    if (one) prepared.push(one);
    else findings.notes.push(`${name}: ${contenders[0]!.name} sends no ETag, so there is nothing to measure`);
  }
}

/** Every server gets a mix of all cases at its size; for the raw server the size does not matter. */
async function warmUpAll(run: BenchRun, prepared: readonly PreparedListCase[]): Promise<void> {
  const { workspace, tool } = run;
  for (const [size, cases] of Map.groupBy(prepared, (one) => one.size)) {
    const slice = { headers: {}, target: warmUpTarget(workspace, cases), seconds: warmUpSeconds };
    if (cases[0] === prepared[0]) {
      await run.raw!.select(cases[0]!.rawSet);
      await tool.run({ ...slice, origin: run.raw!.origin });
    }
    for (const contender of contendersAt(run, size)) {
      await tool.run({ ...slice, origin: contender.origin });
      await waitUntilIdle(contender);
    }
  }
}

async function measureSizes(
  run: BenchRun,
  sizesOfCase: readonly PreparedListCase[],
  round: number,
): Promise<void> {
  const rounds = sizesOfCase.map((prepared) => roundOf(run, prepared, round));
  for (const { of, server } of orderOfSlices(rounds, round)) {
    await (server === 'raw' ? measureRaw(of) : measureSubject(of));
  }
  for (const one of rounds) await measureBeside(one);
}

/**
 * Repeats the cases with an open verdict for as long as there is time. Checking after each round would sooner or
 * later close a verdict by chance. Runs with very few rounds get no more.
 */
async function settle(run: BenchRun, prepared: readonly PreparedListCase[]): Promise<void> {
  const { rounds } = run.options;
  const open = openCases(run.findings.lists);
  if (open.size === 0 || rounds < leastForLikely) return;
  const cases = [...Map.groupBy(prepared, (one) => one.name)].filter(([name]) => open.has(name));
  const secondsPerRound = secondsPerSize * cases.reduce((sum, [, sizes]) => sum + sizes.length, 0);
  const seconds = Math.min(settlingSeconds, longestRunSeconds - performance.now() / 1000);
  const until = rounds + Math.floor(seconds / secondsPerRound);
  for (let round = rounds; round < until; round++) {
    for (const [, sizesOfCase] of cases) await measureSizes(run, sizesOfCase, round);
  }
}

interface OrderedSlice<T> {
  readonly of: T;
  readonly server: 'raw' | 'subject';
}

/**
 * Puts slices to be compared next to each other: subject and raw server at each size, and the subject at the largest
 * and the smallest size. The order alternates from round to round.
 */
export function orderOfSlices<T>(sizes: readonly T[], round: number): OrderedSlice<T>[] {
  const pair = (of: T): OrderedSlice<T>[] => [
    { of, server: 'raw' },
    { of, server: 'subject' },
  ];
  const between = sizes.slice(1, -1).flatMap(pair);
  const smallest = pair(sizes[0]!);
  const largest = sizes.length > 1 ? pair(sizes.at(-1)!).reverse() : [];
  const slices = [...between, ...smallest, ...largest];
  return round % 2 === 0 ? slices : slices.reverse();
}

function roundOf(run: BenchRun, prepared: PreparedListCase, round: number): Round {
  const { findings, tool } = run;
  const { name, size } = prepared;
  const [subject, ...others] = contendersAt(run, size);
  const isForAll = name !== '304' && searchOfCase[name] === undefined;
  const measuredOthers = round === 0 && isForAll ? others : [];
  let rates = findings.lists.find((one) => one.case === name && one.size === size);
  if (rates === undefined) {
    rates = noRates(name, size);
    findings.lists.push(rates);
  }
  return { prepared, rates, tool, raw: run.raw!, subject: subject!, others: measuredOthers, round };
}

function noRates(name: ListCaseName, size: number): ListRates {
  const none = { raw: [], subject: [], subjectP99Ms: [], rawCpuUs: [], subjectCpuUs: [] };
  return { case: name, size, ...none, unrepeated: [], others: {} };
}
