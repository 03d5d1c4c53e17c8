import { listCaseTitles } from '../dataset/list-cases.ts';
import { formatSize } from '../format-size.ts';
import type { FlatFigure, ListFigure } from './list-figures.ts';
import { formatLikely } from './ratio.ts';
import { type Column, renderTable } from './render-table.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** The list cases: a block per case, a line per size, then how flat the case is. */
export function renderLists(
  subject: string,
  figures: readonly ListFigure[],
  flats: readonly FlatFigure[],
): string {
  const otherNames = [...new Set(figures.flatMap((figure) => figure.others.map((other) => other.name)))];
  const columns: Column[] = [
    { title: 'case', align: 'left' },
    { title: 'size', align: 'right' },
    { title: 'raw/s', align: 'right' },
    { title: `${subject}/s`, align: 'right' },
    { title: 'p99 ms', align: 'right' },
    { title: 'of raw', align: 'right' },
    { title: 'likely', align: 'right' },
    { title: 'by cpu', align: 'right' },
    { title: 'new URLs', align: 'right' },
    { title: 'target', align: 'right' },
    { title: '', align: 'left' },
    ...otherNames.flatMap((name): Column[] => [
      { title: `${name}/s`, align: 'right' },
      { title: `× ${name}`, align: 'right' },
    ]),
  ];
  const blocks = Map.groupBy(figures, (figure) => figure.case);
  const rows = [...blocks].flatMap(([name, sizes]) => [
    ...sizes.map((figure, index) => [
      index === 0 ? `${name} ${listCaseTitles[name]}` : '',
      ...sizeCells(figure),
      ...otherNames.flatMap((other) => otherCells(figure, other)),
    ]),
    ...flats.filter((flat) => flat.case === name).map(flatCells),
    [],
  ]);
  return renderTable(columns, rows);
}

function sizeCells(figure: ListFigure): string[] {
  return [
    formatSize(figure.size),
    whole.format(figure.rawPerSecond),
    whole.format(figure.subjectPerSecond),
    figure.p99Ms.toFixed(1),
    figure.ofRaw.value.toFixed(2),
    formatLikely(figure.ofRaw),
    figure.cpuOfRaw?.toFixed(2) ?? '',
    figure.unrepeatedOfRaw?.toFixed(2) ?? '',
    `≥ ${figure.target.toFixed(2)}`,
    figure.verdict,
  ];
}

function otherCells(figure: ListFigure, name: string): string[] {
  const other = figure.others.find((one) => one.name === name);
  return other ? [short.format(other.perSecond), short.format(other.subjectTimes)] : ['', ''];
}

function flatCells(figure: FlatFigure): string[] {
  const { flat, unrepeatedFlat, verdict } = figure;
  const [smallest, largest] = figure.sizes;
  const label = `   flat: ${formatSize(largest)} over ${formatSize(smallest)}`;
  const unrepeated = unrepeatedFlat?.toFixed(2) ?? '';
  const target = `≥ ${figure.target.toFixed(2)}`;
  return [label, '', '', '', '', flat.value.toFixed(2), formatLikely(flat), '', unrepeated, target, verdict];
}
