import type { StationData } from '../../dataset/station-data.ts';
import { formatSize } from '../../format-size.ts';
import type { Step } from '../../progress.ts';
import { listOnce } from '../../servers/list-once.ts';
import { RosterServer } from '../../servers/roster-server.ts';
import type { BenchRun } from '../bench-run.ts';
import { measureBatches } from './measure-batches.ts';
import { measureBusyLists } from './measure-busy-lists.ts';
import { measureFirstLists } from './measure-first-lists.ts';
import { measureSmallWrites, smallWritesCases } from './measure-small-writes.ts';
import { PlainSqlite } from './plain-sqlite.ts';
import type { PlainStore } from './plain-store.ts';
import { fillSubject, type WritesSubject } from './writes-subject.ts';

const batchSizes = [1_000, 10_000, 100_000];
const stormSize = 10_000;
const roundsOfLargeBatches = 5;
const firstLists = { repeated: 3, largestRepeated: 100_000 };

/** Where the server and the plain store of a step come from. */
export interface WriteStores {
  startServer(): Promise<RosterServer>;
  openPlain(): Promise<PlainStore>;
}

export function sqliteStores({ workspace }: BenchRun): WriteStores {
  return {
    startServer: () => RosterServer.start({ workspace, dataDirectory: workspace.newDirectory('writes') }),
    openPlain: async () => new PlainSqlite(`${workspace.newDirectory('plain')}/plain.db`),
  };
}

/** W1 to W5 at the second smallest size, W6 to W8 also at the largest. */
export function writeSteps(run: BenchRun, stores: WriteStores): Step[] {
  const { cases, sizes } = run.options;
  const usual = sizes.includes(100_000) ? 100_000 : sizes[0]!;
  const small = smallWritesCases.filter(({ name }) => cases.has(name));
  const named = (name: 'W5' | 'W6' | 'W7' | 'W8', sizesOf: readonly number[], step: StepOf) =>
    cases.has(name) ? sizesOf.map((size) => step(run, stores, size)) : [];
  return [
    ...(small.length > 0 ? [smallWritesStep(run, stores, usual)] : []),
    ...named('W5', [usual], batchStep),
    ...named('W6', sizes, stormStep),
    ...named('W7', sizes.slice(-1), busyStep),
    ...named('W8', sizes, firstListStep),
  ];
}

type StepOf = (run: BenchRun, stores: WriteStores, size: number) => Step;

const smallWritesStep: StepOf = (run, stores, size) => ({
  label: `small writes at ${formatSize(size)}`,
  seconds: 12 + 6 * run.options.rounds,
  run: () =>
    withSubject(run, stores, size, async (subject) => {
      for (const each of smallWritesCases) {
        if (!run.options.cases.has(each.name)) continue;
        run.findings.smallWrites.push(await measureSmallWrites(subject, each, run.options.rounds));
      }
    }),
});

const batchStep: StepOf = (run, stores, size) => ({
  label: `batches of state changes at ${formatSize(size)}`,
  seconds: 60,
  run: () =>
    withSubject(run, stores, size, async (subject) => {
      for (const records of batchSizes) {
        if (records > size) continue;
        const rounds = records === 100_000 ? roundsOfLargeBatches : run.options.rounds;
        run.findings.batches.push(await measureBatches(subject, records, rounds));
      }
    }),
});

const stormStep: StepOf = (run, stores, size) => ({
  label: `batches of ${formatSize(stormSize)} state changes at ${formatSize(size)}`,
  seconds: 20 + size / 20_000,
  run: () =>
    withSubject(run, stores, size, async (subject) => {
      run.findings.storms.push(await measureBatches(subject, stormSize, run.options.rounds));
    }),
});

const busyStep: StepOf = (run, stores, size) => ({
  label: `lists at ${formatSize(size)} during small writes`,
  seconds: 20 + size / 20_000,
  run: () =>
    withSubject(run, stores, size, async (subject) => {
      run.findings.busyLists.push(await measureBusyLists(run.workspace, subject));
    }),
});

const firstListStep: StepOf = (run, stores, size) => ({
  label: `first lists after imports of ${formatSize(size)}`,
  seconds: 5 + size / 10_000,
  async run() {
    const server = await stores.startServer();
    const times = size <= firstLists.largestRepeated ? firstLists.repeated : 1;
    run.findings.firstLists.push(await measureFirstLists(dataOf(run, size), server, times));
    await server.stop();
  },
});

async function withSubject(
  run: BenchRun,
  stores: WriteStores,
  size: number,
  measure: (subject: WritesSubject) => Promise<void>,
): Promise<void> {
  const server = await stores.startServer();
  const plain = await stores.openPlain();
  const subject = await fillSubject(dataOf(run, size), server, plain);
  // The station is in memory, as in a service that is in use.
  await listOnce(server);
  await measure(subject);
  await plain.close();
  await server.stop();
}

function dataOf(run: BenchRun, size: number): StationData {
  return run.stations.get(size)!;
}
