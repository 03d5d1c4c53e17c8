import type { RecordView, SearchFilters, StationClient, WatchEvent } from '@roster/client';
import { recordView } from '../../output/resource-view.ts';
import type { View } from '../../output/view.ts';
import type { Style } from '../../terminal/paint.ts';

/** What happened to a resource in the list; `gone` includes one that no longer matches. */
type Happening = 'listed' | 'new' | 'changed' | 'gone';

export interface WatchedRow extends RecordView {
  readonly change: Happening;
}

const styles: Readonly<Record<Happening, Style | undefined>> = {
  listed: undefined,
  new: 'green',
  changed: 'yellow',
  gone: 'red',
};

export const watchView: View<WatchedRow> = {
  ...recordView,
  columns: [
    {
      name: 'change',
      header: 'CHANGE',
      value: (row) => row.change,
      style: (row) => styles[row.change],
    },
    ...recordView.columns,
  ],
};

/** The matching resources, then what enters, changes and leaves, until the reader stops. */
export async function* watchList(
  station: StationClient,
  filters: SearchFilters,
): AsyncGenerator<readonly WatchedRow[]> {
  for await (const event of station.manage.watch({ ...filters, list: true })) yield rowsOf(event);
}

function rowsOf(event: WatchEvent): WatchedRow[] {
  if (event.kind === 'listed') return event.resources.map((resource) => ({ ...resource, change: 'listed' }));
  return event.changes.map(({ change, match, resource }) => ({
    ...resource,
    change: happenings[match ?? change],
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
