import type { RecordView, SearchFilters, StationClient, WatchEvent } from '@roster/client';
import type { Call } from '../../command/command.ts';
import { tellOutages } from '../../connection/outages.ts';
import { recordView } from '../../output/resource-view.ts';
import type { Column, View } from '../../output/view.ts';
import { showTime } from '../../terminal/format-numbers.ts';
import type { Style } from '../../terminal/paint.ts';

/** What happened to a resource in the list; `gone` includes one that no longer matches. */
type Happening = 'listed' | 'new' | 'changed' | 'gone';

export interface WatchedRow extends RecordView {
  readonly change: Happening;
  /** When it changed, or was listed. */
  readonly time: string;
}

const styles: Readonly<Record<Happening, Style | undefined>> = {
  listed: undefined,
  new: 'green',
  changed: 'yellow',
  gone: 'red',
};

const time: Column<WatchedRow> = {
  name: 'time',
  header: 'TIME (UTC)',
  value: (row) => row.time,
  show: (row) => showTime(row.time),
};

const change: Column<WatchedRow> = {
  name: 'change',
  header: 'CHANGE',
  value: (row) => row.change,
  style: (row) => styles[row.change],
};

/** For people the time comes first, as in a log. For programs it is last: it came later than the other columns. */
export function watchView(isTable: boolean): View<WatchedRow> {
  const columns = [change, ...recordView.columns];
  return { ...recordView, columns: isTable ? [time, ...columns] : [...columns, time] };
}

/** The matching resources, then what enters, changes and leaves, until the reader stops. */
export async function* watchList(
  call: Call,
  station: StationClient,
  filters: SearchFilters,
): AsyncGenerator<readonly WatchedRow[]> {
  // A watch would wait for a server that was never there.
  await station.list({ size: 0 });
  let isListed = false;
  for await (const event of station.manage.watch({ ...filters, list: true }, tellOutages(call))) {
    if (event.kind === 'listed' && isListed) await call.terminal.tell(listedAgain);
    isListed = true;
    yield rowsOf(event);
  }
}

const listedAgain = 'roster: the history has a gap, so the list starts again; what is not in it is gone';

function rowsOf(event: WatchEvent): WatchedRow[] {
  if (event.kind === 'listed') {
    const now = new Date().toISOString();
    return event.resources.map((resource) => ({ ...resource, change: 'listed', time: now }));
  }
  return event.changes.map(({ change, match, resource, changed_at }) => ({
    ...resource,
    change: happenings[match ?? change],
    time: changed_at,
  }));
}

const happenings = {
  entered: 'new',
  created: 'new',
  stayed: 'changed',
  updated: 'changed',
  left: 'gone',
  removed: 'gone',
} as const satisfies Record<string, Happening>;
