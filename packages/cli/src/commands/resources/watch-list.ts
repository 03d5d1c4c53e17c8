import type { Filters, RecordView, Resource, StationClient, WatchEvent } from '@roster/client';
import { resourceView } from '../../output/resource-view.ts';
import type { View } from '../../output/view.ts';
import type { Style } from '../../terminal/paint.ts';

/** What happened to a resource in the list; `gone` includes one that no longer matches. */
type Happening = 'listed' | 'new' | 'changed' | 'gone';

export interface WatchedRow extends Resource {
  readonly change: Happening;
}

const styles: Readonly<Record<Happening, Style | undefined>> = {
  listed: undefined,
  new: 'green',
  changed: 'yellow',
  gone: 'red',
};

export const watchView: View<WatchedRow> = {
  ...resourceView,
  columns: [
    {
      name: 'change',
      header: 'CHANGE',
      value: (row) => row.change,
      style: (row) => styles[row.change],
    },
    ...resourceView.columns,
  ],
};

export interface WatchedList {
  readonly station: StationClient;
  readonly filters: Filters;
  readonly isKept: ((resource: Resource) => boolean) | undefined;
}

/** The list, then its changes, until the reader stops. */
export async function* watchList(list: WatchedList): AsyncGenerator<readonly WatchedRow[]> {
  const shown = new Set<string>();
  for await (const event of list.station.manage.watch()) {
    const rows = rowsOf(event, (record) => isMatch(record, list), shown);
    if (rows.length > 0 || event.kind === 'listed') yield rows;
  }
}

function rowsOf(
  event: WatchEvent,
  isWanted: (record: RecordView) => boolean,
  shown: Set<string>,
): WatchedRow[] {
  if (event.kind === 'listed') {
    const resources = event.resources.filter(isWanted);
    shown.clear();
    for (const { resource_id: id } of resources) shown.add(id);
    return resources.map((resource) => ({ ...resource, change: 'listed' }));
  }
  return event.changes.flatMap(({ change, resource_id: id, resource }): WatchedRow[] => {
    const wasShown = shown.has(id);
    if (change !== 'removed' && isWanted(resource)) {
      shown.add(id);
      return [{ ...resource, change: wasShown ? 'changed' : 'new' }];
    }
    shown.delete(id);
    return wasShown ? [{ ...resource, change: 'gone' }] : [];
  });
}

/** Applies the list filters here, because the change stream has none. */
function isMatch(record: RecordView, { filters, isKept }: WatchedList): boolean {
  const { resourceTypes, product, displayNamePrefix, resourceIds, enabledAlert } = filters;
  return (
    (resourceTypes === undefined || resourceTypes.includes(record.resource_type.key)) &&
    (product === undefined || record.product === product) &&
    (displayNamePrefix === undefined || record.display_name.startsWith(displayNamePrefix)) &&
    (resourceIds === undefined || resourceIds.includes(record.resource_id)) &&
    (enabledAlert !== true || record.alertable) &&
    (isKept === undefined || isKept(record))
  );
}
