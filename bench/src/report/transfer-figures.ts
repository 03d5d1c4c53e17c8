import type { TransferFinding } from '../findings.ts';
import { formatSize } from '../format-size.ts';
import { targetSizes, targets } from '../targets.ts';
import { atLeast, atMost, below, type Figure, withTarget } from './figure.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Import and export of a whole station. */
export function transferFigures(finding: TransferFinding): Figure[] {
  const { size, ndjsonSeconds, csvSeconds } = finding;
  return [
    importFigure(`NDJSON import of ${formatSize(size)}, station being read`, size, ndjsonSeconds),
    importFigure(`CSV import of ${formatSize(size)}`, size, csvSeconds),
    growthFigure(finding),
    planFigure(finding),
    ...finding.exports.map((one) => exportFigure(size, one)),
  ].filter((figure) => figure !== undefined);
}

function importFigure(name: string, size: number, seconds: number): Figure {
  const value = size / seconds;
  const text = `${whole.format(value)}/s  (${seconds.toFixed(2)} s)`;
  const limit = targets.importedPerSecond;
  return withTarget({ name, value, text }, atLeast(limit, value, `${whole.format(limit)}/s`));
}

function growthFigure({ size, importGrowthBytes }: TransferFinding): Figure | undefined {
  if (importGrowthBytes === undefined) return undefined;
  const figure = {
    name: `memory above the index during an import of ${formatSize(size)}`,
    value: importGrowthBytes,
    text: megabytes(importGrowthBytes),
  };
  const limit = targets.importGrowthBytes;
  if (size !== targetSizes.growth) return figure;
  return withTarget(figure, atMost(limit, importGrowthBytes, megabytes(limit)));
}

function planFigure({ size, planSeconds }: TransferFinding): Figure | undefined {
  if (planSeconds === undefined) return undefined;
  const figure = {
    name: `dry run of an unchanged ${formatSize(size)}`,
    value: planSeconds,
    text: `${planSeconds.toFixed(2)} s`,
  };
  const limit = targets.planSeconds;
  if (size !== targetSizes.plan) return figure;
  return withTarget(figure, below(limit, planSeconds, `${limit} s`));
}

function exportFigure(
  size: number,
  { format, seconds, growthBytes }: TransferFinding['exports'][number],
): Figure {
  const value = size / seconds;
  const growth = growthBytes === undefined ? '' : `, process grew by ${megabytes(growthBytes)}`;
  const figure = {
    name: `export of ${formatSize(size)} as ${format}`,
    value,
    text: `${whole.format(value)}/s  (${seconds.toFixed(2)} s${growth})`,
  };
  const limit = targets.exportedPerSecond;
  return withTarget(figure, atLeast(limit, value, `${whole.format(limit)}/s`));
}

function megabytes(bytes: number): string {
  return `${whole.format(bytes / 2 ** 20)} MiB`;
}
