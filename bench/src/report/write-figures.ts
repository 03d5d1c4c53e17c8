import type { Findings } from '../findings.ts';
import { formatSize } from '../format-size.ts';
import { median } from '../statistics.ts';
import { targets } from '../targets.ts';
import { atMost, below, type Figure, ratioAtLeast, withTarget } from './figure.ts';
import { compareRounds, formatLikely } from './ratio.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** What writes cost, beside a plain store in the same run. */
export function writeFigures(findings: Findings): Figure[] {
  const alone = findings.smallWrites.find((finding) => finding.case === 'W1');
  return [
    ...findings.smallWrites.map(smallWritesFigure),
    ...findings.smallWrites.flatMap((finding) => (alone === undefined ? [] : tailFigure(finding, alone))),
    ...findings.batches.map(batchFigure),
    ...stormFigures(findings.storms),
    ...findings.busyLists.map(busyFigure),
    ...findings.firstLists.map(firstListFigure),
  ];
}

type SmallWrites = Findings['smallWrites'][number];

function smallWritesFigure({ case: name, size, roster, plain, p50Ms, p99Ms }: SmallWrites): Figure {
  const ratio = compareRounds(roster, plain);
  const rates = `${whole.format(median(roster))}/s of ${whole.format(median(plain))}/s`;
  const times = `p50 ${median(p50Ms).toFixed(1)} ms, p99 ${median(p99Ms).toFixed(1)} ms`;
  const text = `${ratio.value.toFixed(2)}  (likely ${formatLikely(ratio)}; ${rates}; ${times})`;
  const figure = {
    name: `${name} small writes at ${formatSize(size)}, over plain`,
    value: ratio.value,
    text,
  };
  return withTarget(figure, ratioAtLeast(targets.ofPlain[name], ratio));
}

function tailFigure({ case: name, p99Ms }: SmallWrites, alone: SmallWrites): Figure[] {
  if (name === 'W1') return [];
  const value = median(p99Ms) / median(alone.p50Ms);
  const figure = { name: `${name} p99 over the p50 of W1`, value, text: value.toFixed(1) };
  return [withTarget(figure, atMost(targets.smallWriteP99, value))];
}

function batchFigure({ size, records, roster, plain }: Findings['batches'][number]): Figure {
  const ratio = compareRounds(plain, roster);
  const times = `${median(roster).toFixed(3)} s, plain ${median(plain).toFixed(3)} s`;
  const text = `${ratio.value.toFixed(2)}  (likely ${formatLikely(ratio)}; ${times})`;
  const name = `batch of ${formatSize(records)} at ${formatSize(size)}, speed over plain`;
  return withTarget({ name, value: ratio.value, text }, ratioAtLeast(targets.batchOfPlain, ratio));
}

function stormFigures(storms: Findings['storms']): Figure[] {
  const figures = storms.map(batchFigure);
  const [usual, largest] = storms.slice(-2);
  if (usual === undefined || largest === undefined) return figures;
  const value = median(largest.roster) / median(usual.roster);
  const name = `batch of ${formatSize(largest.records)}, ${formatSize(largest.size)} over ${formatSize(usual.size)}`;
  const growth = { name, value, text: value.toFixed(2) };
  return [...figures, withTarget(growth, atMost(targets.batchGrowth, value))];
}

function busyFigure({ size, writesPerSecond, lists }: Findings['busyLists'][number]): Figure {
  const { p50Ms, p99Ms, maxMs } = lists;
  const figure = {
    name: `list latency at ${formatSize(size)}, ${whole.format(writesPerSecond)} small writes/s`,
    value: p99Ms,
    text: `p99 ${p99Ms.toFixed(1)} ms  (p50 ${p50Ms.toFixed(1)}, max ${maxMs.toFixed(1)})`,
  };
  return withTarget(figure, below(targets.busyListP99Ms, p99Ms, `${targets.busyListP99Ms} ms`));
}

function firstListFigure({ size, importSeconds, listSeconds }: Findings['firstLists'][number]): Figure {
  const value = median(listSeconds.map((seconds, turn) => seconds / importSeconds[turn]!));
  const text = `${value.toFixed(2)}  (${median(listSeconds).toFixed(2)} s after ${median(importSeconds).toFixed(2)} s)`;
  const figure = { name: `first list after an import of ${formatSize(size)}, of its time`, value, text };
  return withTarget(figure, atMost(targets.firstList, value));
}
