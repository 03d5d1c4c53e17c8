import type { TrendPoint } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { readTimeRange, timeForms } from '../../command/read-time.ts';
import { connectionFlags, openStation } from '../../connection/connection.ts';
import { printRows, rowFlags, sortRows } from '../../output/rows.ts';
import type { Column, View } from '../../output/view.ts';
import { formatShare } from '../../terminal/format-numbers.ts';
import type { Style } from '../../terminal/paint.ts';

type Point = TrendPoint;

/** A column of numbers; a dash where nothing is known. */
function figure(
  [name, header]: readonly [string, string],
  value: (point: Point) => number | undefined,
  style?: Style,
): Column<Point> {
  return {
    name,
    header,
    value: (point) => (point.hours === 0 ? '' : (value(point) ?? 0)),
    show: (point) => (point.hours === 0 ? '–' : String(value(point) ?? 0)),
    style: (point) => (point.hours > 0 && (value(point) ?? 0) > 0 ? style : 'dim'),
  };
}

const view: View<Point> = {
  columns: [
    { name: 'time', header: 'TIME', value: (point) => point.time },
    figure(['total', 'RESOURCES'], (point) => point.total ?? 0),
    figure(['firing', 'FIRING'], (point) => point.states?.ALERTSTATE_FIRING, 'alarm'),
    figure(['peak_firing', 'PEAK'], (point) => point.peaks?.ALERTSTATE_FIRING, 'alarm'),
    figure(['pending', 'PENDING'], (point) => point.states?.ALERTSTATE_PENDING, 'yellow'),
    figure(['uncovered', 'UNCOVERED'], (point) => point.uncovered ?? 0, 'yellow'),
    {
      name: 'covered',
      header: 'COVERED',
      value: (point) => point.covered ?? '',
      show: (point) => (point.hours === 0 ? '–' : formatShare(point.covered!, point.alertable!)),
    },
    { ...figure(['hours', 'HOURS'], (point) => point.hours), isWide: true },
  ],
  nameOf: (point) => point.time,
  nothing: 'no points',
};

export const trends: Command = {
  name: 'trends',
  usage: '[STATION] [FLAGS]',
  about:
    'Shows the counts of a station over time: at the end of each hour or day (UTC), and the most resources that ' +
    'fired at once (PEAK). Dashes mean that there is no data: the server was not running, or the station did not ' +
    'exist.',
  takes: [0, 1],
  flags: {
    after: {
      type: 'string',
      value: 'TIME',
      about: `start; ${timeForms} (default 24h, or 30d by the day)`,
    },
    before: { type: 'string', value: 'TIME', about: 'end (default now)' },
    step: {
      type: 'string',
      value: 'STEP',
      choices: ['hour', 'day'],
      about: 'a row for each hour or day (default hour)',
    },
    ...rowFlags(view.columns.map(({ name }) => name)),
    ...connectionFlags,
  },
  examples: [
    ['roster trends demo/sample/zone-1/station-1', 'the last 24 hours'],
    ['roster trends --step day --after 90d --columns time,peak_firing,uncovered', 'the last quarter'],
    ['roster trends --step day -o json', 'every state, for a script'],
  ],
  run: runTrends,
};

async function runTrends(call: Call): Promise<void> {
  const { given } = call;
  const station = await openStation(call, given.positionals[0]);
  const [after, before] = readTimeRange(given, ['after', 'before']);
  const { points } = await station.manage.trends({
    after,
    before,
    step: given.text('step') as 'hour' | 'day' | undefined,
  });
  await printRows(sortRows(points, view, call), view, call);
}
