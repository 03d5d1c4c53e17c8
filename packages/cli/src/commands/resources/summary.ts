import type { Figures, Summary } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { connectionFlags, openStation } from '../../connection/connection.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { showState, stateStyle } from '../../output/resource-view.ts';
import { showStates } from '../../output/stale-states.ts';
import { type Cell, renderTable } from '../../output/table.ts';
import { formatCount, formatShare, renderBar } from '../../terminal/format-numbers.ts';
import type { Paint } from '../../terminal/paint.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { filterFlags, readFilters, readSearchFilters, searchFlags } from './filters.ts';

const barWidth = 20;

export const summary: Command = {
  name: 'summary',
  usage: '[STATION] [FLAGS]',
  about:
    'Counts the resources of a station by state and by type, and how many of the alertable ones have alert ' +
    'rules (covered) or none (uncovered).',
  takes: [0, 1],
  flags: { ...filterFlags, ...searchFlags, ...valueFlags, ...connectionFlags },
  examples: [
    ['roster summary demo/sample/zone-1/station-1', 'the whole station'],
    [
      'roster summary --product product.gpu_cluster -o json | jq .uncovered',
      'one number, with the station from ROSTER_STATION',
    ],
  ],
  run: runSummary,
};

async function runSummary(call: Call): Promise<void> {
  const station = await openStation(call, call.given.positionals[0]);
  const filters = { ...readFilters(call.given), ...readSearchFilters(call.given) };
  await showStates(
    call,
    (options) => station.manage.sources(options),
    async (unwatched) => {
      const result = await station.manage.summary(filters);
      const isWatched = result.covered > 0 && result.uncovered === 0 && (await unwatched).size === 0;
      await printValue(result, () => renderSummary(result, isWatched, call.terminal), call);
    },
  );
}

function renderSummary(result: Summary, isWatched: boolean, terminal: Terminal): string {
  const states = renderStates(result, isWatched, terminal);
  const parts = [renderTotals(result, terminal.paint), states, renderTypes(result, terminal)];
  return parts.filter((part) => part !== '').join('\n');
}

function renderTotals({ total, alertable, covered, uncovered }: Figures, paint: Paint): string {
  const missing = paint(uncovered > 0 ? 'yellow' : undefined, `${formatCount(uncovered)} uncovered`);
  return (
    `${formatCount(total)} resources, ${formatCount(alertable)} can have alerts: ` +
    `${formatCount(covered)} covered (${formatShare(covered, alertable)}), ${missing}\n`
  );
}

function renderStates({ states, total }: Figures, isWatched: boolean, terminal: Terminal): string {
  const entries = Object.entries(states).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return '';
  const rows = entries.map(([state, count]) => {
    const style = stateStyle(state, isWatched);
    const cells: Cell[] = [{ text: showState(state), style }, { text: String(count) }];
    return terminal.isTerminal ? [...cells, { text: renderBar(count, total, barWidth), style }] : cells;
  });
  return renderFigures(['STATE', 'RESOURCES', ''], rows, terminal);
}

function renderTypes({ types }: Summary, terminal: Terminal): string {
  if (types.length === 0) return '';
  const rows = types.map((type) => {
    const cells: Cell[] = [
      { text: type.label },
      { text: String(type.total) },
      {
        text: String(type.states.ALERTSTATE_FIRING ?? 0),
        style: type.states.ALERTSTATE_FIRING ? 'alarm' : 'dim',
      },
      { text: String(type.uncovered), style: type.uncovered > 0 ? 'yellow' : 'dim' },
      { text: formatShare(type.covered, type.alertable) },
    ];
    return terminal.isTerminal ? [...cells, coverageBar(type)] : cells;
  });
  return renderFigures(['TYPE', 'RESOURCES', 'FIRING', 'UNCOVERED', 'COVERED', ''], rows, terminal);
}

function coverageBar({ covered, alertable }: Figures): Cell {
  return { text: renderBar(covered, alertable, barWidth), style: covered === alertable ? 'green' : 'yellow' };
}

/** The first column is a name, the last one a bar (on terminals only), and the others are numbers. */
function renderFigures(headers: readonly string[], rows: readonly Cell[][], terminal: Terminal): string {
  const width = rows[0]!.length;
  return renderTable(rows, {
    headers: headers.slice(0, width),
    isRight: headers.map((_, at) => at > 0 && headers[at] !== ''),
    maxWidth: terminal.isTerminal ? terminal.columns : undefined,
    paint: terminal.paint,
  });
}
