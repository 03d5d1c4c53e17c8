import type { ColdStart, Findings } from '../findings.ts';
import { formatSize } from '../format-size.ts';
import { median } from '../statistics.ts';
import { targetSizes, targets } from '../targets.ts';
import { accessFigure } from './access-figures.ts';
import { atLeast, atMost, below, type Figure, withTarget } from './figure.ts';
import { postgresFigures } from './postgres-figures.ts';
import { transferFigures } from './transfer-figures.ts';
import { writeFigures } from './write-figures.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Everything that is not a rate of the list operation. */
export function otherFigures(findings: Findings): Figure[] {
  return [
    ...findings.imports.flatMap(importFigures),
    ...findings.latency.flatMap(latencyFigures),
    ...findings.transfers.flatMap(transferFigures),
    ...findings.access.map(accessFigure),
    ...findings.memory.flatMap(memoryFigures),
    ...findings.coldStarts.flatMap(coldFigures),
    ...findings.texts.flatMap(textFigures),
    ...findings.everywhere.flatMap(everywhereFigures),
    ...writeFigures(findings),
    ...findings.sources.flatMap(sourcesFigures),
    ...findings.stateStorms.flatMap(stormFigures),
    ...postgresFigures(findings),
  ];
}

function importFigures({ size, seconds }: Findings['imports'][number]): Figure[] {
  const value = size / median(seconds);
  const target = atLeast(targets.importedPerSecond, value, `${whole.format(targets.importedPerSecond)}/s`);
  const times = seconds.map((one) => `${one.toFixed(2)} s`).join(', ');
  const figure = {
    name: `import of ${formatSize(size)}`,
    value,
    text: `${whole.format(value)}/s  (${times})`,
  };
  return [size < targetSizes.minImport ? figure : withTarget(figure, target)];
}

function latencyFigures({ size, idle, duringImport }: Findings['latency'][number]): Figure[] {
  const describe = ({ p50Ms, p99Ms, maxMs }: typeof idle) =>
    `p99 ${p99Ms.toFixed(1)} ms  (p50 ${p50Ms.toFixed(1)}, max ${maxMs.toFixed(1)})`;
  const limit = targets.p99DuringImportMs;
  return [
    { name: `list latency at ${formatSize(size)}, idle`, value: idle.p99Ms, text: describe(idle) },
    {
      name: `list latency at ${formatSize(size)}, importing ${formatSize(size)}`,
      value: duringImport.p99Ms,
      text: describe(duringImport),
      target: below(limit, duringImport.p99Ms, `${limit} ms`),
    },
  ];
}

function textFigures({ size, searches, beside, longestBlockMs }: Findings['texts'][number]): Figure[] {
  const { p50Ms, p99Ms, maxMs } = searches;
  return [
    {
      name: `F5 text of five letters at ${formatSize(size)}`,
      value: p99Ms,
      text: `p99 ${p99Ms.toFixed(1)} ms  (p50 ${p50Ms.toFixed(1)}, max ${maxMs.toFixed(1)})`,
      target: below(targets.textP99Ms, p99Ms, `${targets.textP99Ms} ms`),
    },
    {
      name: `F5 event loop blocked at ${formatSize(size)}`,
      value: longestBlockMs,
      text: `max ${longestBlockMs.toFixed(1)} ms`,
      target: below(targets.textBlockedMs, longestBlockMs, `${targets.textBlockedMs} ms`),
    },
    {
      name: `F5 others wait at ${formatSize(size)}`,
      value: beside.p99Ms,
      text: `p99 ${beside.p99Ms.toFixed(1)} ms  (p50 ${beside.p50Ms.toFixed(1)}, max ${beside.maxMs.toFixed(1)})`,
    },
  ];
}

function everywhereFigures({
  store,
  stations,
  firstMs,
  quiet,
  changing,
}: Findings['everywhere'][number]): Figure[] {
  const describe = ({ p50Ms, p99Ms, maxMs }: typeof quiet) =>
    `p99 ${p99Ms.toFixed(1)} ms  (p50 ${p50Ms.toFixed(1)}, max ${maxMs.toFixed(1)})`;
  const name = `F6 firing in ${whole.format(stations)} stations on ${store}`;
  return [
    { name: `${name}, the first time`, value: firstMs, text: `${whole.format(firstMs)} ms` },
    {
      name: `${name}, warm`,
      value: quiet.p99Ms,
      text: describe(quiet),
      target: below(targets.everywhereP99Ms, quiet.p99Ms, `${targets.everywhereP99Ms} ms`),
    },
    { name: `${name}, after each change`, value: changing.p99Ms, text: describe(changing) },
  ];
}

function sourcesFigures(finding: Findings['sources'][number]): Figure[] {
  const { hosts, rules, alerts, syncSeconds, addedBytes, idle, duringSync } = finding;
  const name = `S1 sync of ${whole.format(hosts)} hosts, ${rules} rules, ${whole.format(alerts)} alerts`;
  const megabytes = addedBytes / 2 ** 20;
  const ratio = duringSync.p99Ms / idle.p99Ms;
  return [
    {
      name,
      value: syncSeconds,
      text: `${syncSeconds.toFixed(2)} s`,
      target: atMost(targets.syncSeconds, syncSeconds, `${targets.syncSeconds} s`),
    },
    {
      name: `${name}, memory above idle`,
      value: megabytes,
      text: `${whole.format(megabytes)} MiB`,
      target: atMost(targets.syncMegabytes, megabytes, `${targets.syncMegabytes} MiB`),
    },
    {
      name: `${name}, list p99 over idle`,
      value: ratio,
      text: `${ratio.toFixed(2)}  (${idle.p99Ms.toFixed(1)} ms, then ${duringSync.p99Ms.toFixed(1)} ms)`,
      target: atMost(targets.syncLatency, ratio),
    },
  ];
}

function stormFigures(finding: Findings['stateStorms'][number]): Figure[] {
  const { resources, changed, visibleSeconds, revisions, duringStorm } = finding;
  const name = `S2 storm of ${whole.format(changed)} in ${whole.format(resources)}`;
  return [
    {
      name: `${name}, visible`,
      value: visibleSeconds,
      text: `${visibleSeconds.toFixed(2)} s, ${revisions} revision${revisions === 1 ? '' : 's'}`,
      target: atMost(targets.stormSeconds, visibleSeconds, `${targets.stormSeconds} s`),
    },
    {
      name: `${name}, list p99`,
      value: duringStorm.p99Ms,
      text: `${duringStorm.p99Ms.toFixed(1)} ms`,
      target: atMost(targets.stormP99Ms, duringStorm.p99Ms, `${targets.stormP99Ms} ms`),
    },
  ];
}

function memoryFigures(memory: Findings['memory'][number]): Figure[] {
  const { size, emptyBytes, coldBytes, afterImportBytes } = memory;
  const value = (coldBytes - emptyBytes) / size;
  const text =
    `${whole.format(value)} B  (whole process ${whole.format(coldBytes / size)} B, ` +
    `after an import ${whole.format((afterImportBytes - emptyBytes) / size)} B)`;
  const figure = { name: `memory per resource at ${formatSize(size)}`, value, text };
  const target = atMost(targets.bytesPerResource, value, `${whole.format(targets.bytesPerResource)} B`);
  return [size === targetSizes.memory ? withTarget(figure, target) : figure];
}

function coldFigures({ size, starts, unsavedStart }: Findings['coldStarts'][number]): Figure[] {
  const figure = coldFigure(`cold start at ${formatSize(size)}`, starts);
  const limit = targets.coldStartMs;
  const target = below(limit, figure.value, `${whole.format(limit)} ms`);
  const figures = [size === targetSizes.cold ? withTarget(figure, target) : figure];
  if (unsavedStart === undefined) return figures;
  return [...figures, coldFigure(`cold start at ${formatSize(size)}, nothing saved`, [unsavedStart])];
}

function coldFigure(name: string, starts: readonly ColdStart[]): Figure {
  const value = median(starts.map((start) => start.fromSpawnMs));
  const fromReadyMs = median(starts.map((start) => start.fromReadyMs));
  const text = `${whole.format(value)} ms  (${whole.format(fromReadyMs)} ms of it once ready)`;
  return { name, value, text };
}
