import type { TrendPoint } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { readTimeRange, timeForms } from '../../command/read-time.ts';
import { connectionFlags, openStation } from '../../connection/connection.ts';
import { printRows, rowFlags, sortRows } from '../../output/rows.ts';
import { showStates } from '../../output/stale-states.ts';
import type { Column, View } from '../../output/view.ts';
import { formatShare } from '../../terminal/format-numbers.ts';
import type { Style } from '../../terminal/paint.ts';

interface Point extends TrendPoint {
  /** Of hours or days without data that are shown as one: when the last of them began. */
  readonly last?: string;
}

type Step = 'hour' | 'day';

const hourMs = 3_600_000;

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
    { name: 'time', header: 'TIME (UTC)', value: (point) => point.time },
    figure(['total', 'RESOURCES'], (point) => point.total ?? 0),
    figure(['firing', 'FIRING'], (point) => point.states?.ALERTSTATE_FIRING, 'alarm'),
    figure(['peak_firing', 'PEAK'], (point) => point.peaks?.ALERTSTATE_FIRING, 'alarm'),
    figure(['pending', 'PENDING'], (point) => point.states?.ALERTSTATE_PENDING, 'yellow'),
    {
      ...figure(['suppressed', 'SUPPRESSED'], (point) => point.states?.ALERTSTATE_SUPPRESSED),
      isSpare: true,
    },
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
    'fired at once (PEAK). No data means that the server was not running, or the station did not exist.',
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
  await showStates(
    call,
    (options) => station.manage.sources(options),
    async () => {
      const step = given.text('step') as Step | undefined;
      const { points } = await station.manage.trends({ after, before, step });
      const isTable = ['table', 'wide'].includes(given.text('output') ?? 'table');
      const rows = isTable && !given.isSet('sort') ? joinGaps(points) : points;
      await printRows(sortRows(rows, view, call), viewOf(step ?? 'hour'), call);
    },
  );
}

/** Hours or days without data become one. */
function joinGaps(points: readonly Point[]): Point[] {
  const joined: Point[] = [];
  for (const point of points) {
    const before = joined.at(-1);
    if (point.hours > 0) joined.push(point);
    else if (before?.last === undefined) joined.push({ ...point, last: point.time });
    else joined[joined.length - 1] = { ...before, last: point.time };
  }
  return joined;
}

/** With times as short as the step allows. */
function viewOf(step: Step): View<Point> {
  const show = (time: string) => time.slice(0, step === 'day' ? 10 : 16).replace('T', ' ');
  const [time, ...others] = view.columns;
  return {
    ...view,
    columns: [{ ...time!, show: (point) => show(point.time) }, ...others],
    lineInstead: ({ time: first, last }) => {
      if (last === undefined) return undefined;
      const end = step === 'day' ? last : new Date(Date.parse(last) + hourMs).toISOString();
      return `no data ${showRange(show(first), show(end))}`;
    },
  };
}

/** Both texts begin with the date. */
function showRange(from: string, to: string): string {
  if (from === to) return from;
  const [date, clock] = to.split(' ');
  return clock !== undefined && from.startsWith(date!) ? `${from}–${clock}` : `${from} – ${to}`;
}
