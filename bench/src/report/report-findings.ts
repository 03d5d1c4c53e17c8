import type { Findings } from '../findings.ts';
import type { BenchOptions } from '../parse-arguments.ts';
import { flatFigures, listFigures } from './list-figures.ts';
import { machineFacts } from './machine-facts.ts';
import { otherFigures } from './other-figures.ts';
import { isOpen } from './ratio.ts';
import { renderLists } from './render-lists.ts';
import { renderTable } from './render-table.ts';
import { writeResults } from './write-results.ts';

export interface FinishedRun {
  readonly startedAt: Date;
  readonly options: BenchOptions;
  readonly tool: string;
  readonly findings: Findings;
}

/** Prints the tables and stores the results as JSON. */
export function reportFindings(run: FinishedRun, out: NodeJS.WritableStream): void {
  const { startedAt, options, tool, findings } = run;
  const machine = machineFacts();
  const lists = listFigures(findings.lists);
  const flats = flatFigures(findings.lists);
  const others = otherFigures(findings);
  const subject = options.contenders[0]!;

  out.write(`\n${machine.cpu}, ${machine.cores} cores, ${machine.system}, Node ${machine.node}, ${tool}\n\n`);
  if (lists.length > 0) out.write(`${renderLists(subject, lists, flats)}\n`);
  if (others.length > 0) {
    const titles = ['figure', 'measured', 'target', ''];
    const columns = titles.map((title) => ({ title, align: 'left' as const }));
    const rows = others.map((figure) => [
      figure.name,
      figure.text,
      figure.target?.text ?? '',
      figure.target?.verdict ?? '',
    ]);
    out.write(`${renderTable(columns, rows)}\n\n`);
  }
  const verdicts = [...lists, ...flats, ...others.flatMap(({ target }) => target ?? [])].map(
    ({ verdict }) => verdict,
  );
  const open = verdicts.filter(isOpen).length;
  if (open > 0) out.write(unsettledNote(open, verdicts.length));
  for (const note of new Set(findings.notes)) out.write(`${note}\n`);

  const seconds = (Date.now() - startedAt.getTime()) / 1000;
  const asked = { ...options, cases: [...options.cases] };
  const results = { startedAt, seconds, machine, tool, options: asked, lists, flats, others, findings };
  out.write(`${Math.round(seconds)} s; all of it in ${writeResults(startedAt, results)}\n`);
}

function unsettledNote(open: number, all: number): string {
  return (
    `UNSETTLED: in ${open} of ${all} lines, those with a question mark, the rounds leave it open on which side of ` +
    'the target the ratio is. Measure again on an idle machine, or with more rounds.\n'
  );
}
