import { documentedCaseNames } from '../../dataset/list-cases.ts';
import { formatSize } from '../../format-size.ts';
import type { Step } from '../../progress.ts';
import { BenchDatabase } from '../../servers/bench-database.ts';
import { RosterServer } from '../../servers/roster-server.ts';
import type { BenchRun } from '../bench-run.ts';
import { importOf, importResources } from '../imports/import-resources.ts';
import { measureEverywhere } from '../measure-everywhere.ts';
import { PlainPostgres } from '../writes/plain-postgres.ts';
import { writeSteps } from '../writes/write-steps.ts';
import { measureNodes } from './measure-nodes.ts';
import { measureQuestion } from './measure-question.ts';
import { measureStores, type StorePair } from './measure-stores.ts';
import { measureWatchers } from './measure-watchers.ts';

/** More than on SQLite: background work of the database made three imports differ by half between runs. */
const imports = 7;
/** Estimate for the progress line. */
const importedPerSecond = 30_000;

/** All measurements on PostgreSQL, which runs as long as the steps. */
export function postgresSteps(run: BenchRun): Step[] {
  const { cases, sizes, via } = run.options;
  const database = new BenchDatabase(run.workspace, via);
  const needsPair = [...documentedCaseNames, 'question'] as const;
  return [
    { label: 'start PostgreSQL', seconds: 5, run: () => database.start() },
    ...(cases.has('import') ? sizes.map((size) => importStep(run, database, size)) : []),
    ...(needsPair.some((name) => cases.has(name)) ? sizes.map((size) => listStep(run, database, size)) : []),
    ...(cases.has('nodes') ? [nodesStep(run, database)] : []),
    ...(cases.has('watchers') ? [watchersStep(run, database)] : []),
    ...(cases.has('F6') ? [everywhereStep(run, database)] : []),
    ...writeSteps(run, {
      startServer: async () => (await database.startNodes(1))[0]!,
      openPlain: async () => PlainPostgres.connect(await database.createDatabase()),
    }),
    { label: 'stop PostgreSQL', seconds: 1, run: () => database.stop() },
  ];
}

function importStep(run: BenchRun, database: BenchDatabase, size: number): Step {
  return {
    label: `import ${formatSize(size)} into PostgreSQL`,
    seconds: 5 + (imports * size) / importedPerSecond,
    async run() {
      const [node] = await database.startNodes(1);
      const seconds: number[] = [];
      for (let turn = 0; turn < imports; turn++) {
        const request = importOf(run.stations.get(size)!, node!, `import-${turn}`);
        seconds.push(await importResources(request));
      }
      run.findings.postgresImports.push({ size, seconds });
      await node!.stop();
    },
  };
}

function listStep(run: BenchRun, database: BenchDatabase, size: number): Step {
  const { cases, rounds } = run.options;
  const names = documentedCaseNames.filter((name) => cases.has(name));
  return {
    label: `lists at ${formatSize(size)}, PostgreSQL beside SQLite`,
    seconds: 36 + (2 * size) / importedPerSecond + names.length * (7 + rounds * 1.1),
    async run() {
      const pair = await startPair(run, database, size);
      if (cases.has('question')) run.findings.questions.push(await measureQuestion(pair));
      run.findings.stores.push(...(await measureStores(run, pair, names)));
      await Promise.all([pair.postgres.stop(), pair.sqlite.stop()]);
    },
  };
}

function everywhereStep(run: BenchRun, database: BenchDatabase): Step {
  return {
    label: 'search all of 10 000 stations',
    seconds: 600,
    async run() {
      const [node] = await database.startNodes(1);
      run.findings.everywhere.push(await measureEverywhere(node!.origin, 'PostgreSQL'));
      await node!.stop();
    },
  };
}

function nodesStep(run: BenchRun, database: BenchDatabase): Step {
  return {
    label: 'write on one node, read and watch on another',
    seconds: 30,
    async run() {
      const [a, b] = await database.startNodes(2);
      run.findings.nodes.push(await measureNodes(a!, b!));
      await Promise.all([a!.stop(), b!.stop()]);
    },
  };
}

function watchersStep(run: BenchRun, database: BenchDatabase): Step {
  return {
    label: '1000 streams on one node, 100 of them unread',
    seconds: 60,
    async run() {
      const [node] = await database.startNodes(1);
      run.findings.watchers.push(await measureWatchers(run.workspace, node!));
      await node!.stop();
    },
  };
}

/** The same station on both stores. */
async function startPair(run: BenchRun, database: BenchDatabase, size: number): Promise<StorePair> {
  const { workspace } = run;
  const sqlite = await RosterServer.start({ workspace, dataDirectory: workspace.newDirectory('sqlite') });
  const [postgres] = await database.startNodes(1);
  const data = run.stations.get(size)!;
  for (const server of [sqlite, postgres!]) await importResources(importOf(data, server, 'bench'));
  await database.settle();
  return { data, sqlite, postgres: postgres! };
}
