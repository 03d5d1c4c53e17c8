import type { Findings } from '../findings.ts';
import { formatSize } from '../format-size.ts';
import { median } from '../statistics.ts';
import { targets } from '../targets.ts';
import { atLeast, atMost, below, type Figure, ratioAtLeast, withTarget } from './figure.ts';
import { compareRounds, formatLikely } from './ratio.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const { ofSqlite, importedPerSecond, heardP99Ms, watcherLagP99Ms, watcherGrowthBytes } = targets.postgres;

/** What was measured on PostgreSQL. */
export function postgresFigures(findings: Findings): Figure[] {
  return [
    ...findings.stores.map(storeFigure),
    ...findings.questions.map(questionFigure),
    ...findings.postgresImports.map(importFigure),
    ...findings.nodes.map(nodesFigure),
    ...findings.watchers.flatMap(watcherFigures),
  ];
}

function storeFigure(finding: Findings['stores'][number]): Figure {
  const { case: name, size, sqlite, postgres, postgresP99Ms, sqliteCpuUs, postgresCpuUs } = finding;
  const ratio = compareRounds(postgres, sqlite);
  const { value } = ratio;
  const rates = `${whole.format(median(postgres))}/s of ${whole.format(median(sqlite))}/s`;
  const byCpu =
    sqliteCpuUs.length === 0 ? '' : `; by cpu ${(median(sqliteCpuUs) / median(postgresCpuUs)).toFixed(2)}`;
  const p99 = `p99 ${median(postgresP99Ms).toFixed(1)} ms`;
  const text = `${value.toFixed(2)}  (likely ${formatLikely(ratio)}; ${rates}; ${p99}${byCpu})`;
  const figure = { name: `${name} at ${formatSize(size)}, PostgreSQL over SQLite`, value, text };
  return withTarget(figure, ratioAtLeast(ofSqlite, ratio));
}

function questionFigure({ size, sqliteP50Ms, postgresP50Ms }: Findings['questions'][number]): Figure {
  const value = postgresP50Ms - sqliteP50Ms;
  const text = `${value.toFixed(3)} ms  (a list takes ${postgresP50Ms.toFixed(3)} and ${sqliteP50Ms.toFixed(3)} ms)`;
  return { name: `one question at ${formatSize(size)}, unloaded`, value, text };
}

function importFigure({ size, seconds }: Findings['postgresImports'][number]): Figure {
  const value = size / median(seconds);
  const times = seconds.map((one) => `${one.toFixed(2)} s`).join(', ');
  const text = `${whole.format(value)}/s  (${times})`;
  const figure = { name: `import of ${formatSize(size)} into PostgreSQL`, value, text };
  return withTarget(figure, atLeast(importedPerSecond, value, `${whole.format(importedPerSecond)}/s`));
}

function nodesFigure({
  writes,
  heardP50Ms,
  heardP99Ms: value,
  acknowledgedP50Ms,
}: Findings['nodes'][number]): Figure {
  const text =
    `p99 ${value.toFixed(1)} ms  (p50 ${heardP50Ms.toFixed(1)}, acknowledged after ${acknowledgedP50Ms.toFixed(1)}; ` +
    `${writes} of ${writes} seen by the next request)`;
  const figure = { name: 'a write on one node, heard on another', value, text };
  return withTarget(figure, below(heardP99Ms, value, `${heardP99Ms} ms`));
}

function watcherFigures(finding: Findings['watchers'][number]): Figure[] {
  const { count, idle, grownBytes, lagP50Ms, lagP99Ms, lagMaxMs, events } = finding;
  const who = `${whole.format(count)} streams, ${idle} not read`;
  const lag = {
    name: `${who}: lag of the others`,
    value: lagP99Ms,
    text: `p99 ${lagP99Ms} ms  (p50 ${lagP50Ms}, max ${lagMaxMs}; ${whole.format(events)} events)`,
  };
  const figures = [withTarget(lag, below(watcherLagP99Ms, lagP99Ms, `${watcherLagP99Ms} ms`))];
  if (grownBytes === undefined) return figures;
  const megabytes = (bytes: number) => `${whole.format(bytes / 2 ** 20)} MiB`;
  const growth = { name: `${who}: growth of the node`, value: grownBytes, text: megabytes(grownBytes) };
  return [
    ...figures,
    withTarget(growth, atMost(watcherGrowthBytes, grownBytes, megabytes(watcherGrowthBytes))),
  ];
}
