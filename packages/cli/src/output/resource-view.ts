import type { FoundResource, RecordView, Resource } from '@roster/client';
import { formatAge } from '../terminal/format-numbers.ts';
import type { Style } from '../terminal/paint.ts';
import { readablePath } from './readable-path.ts';
import type { Unwatched } from './stale-states.ts';
import type { View } from './view.ts';

const statePrefix = 'ALERTSTATE_';
const stateStyles: Readonly<Record<string, Style>> = {
  ALERTSTATE_FIRING: 'alarm',
  ALERTSTATE_PENDING: 'yellow',
};

/** A state without the prefix that all states share. */
export function showState(state: string): string {
  return state.startsWith(statePrefix) ? state.slice(statePrefix.length) : state;
}

/** Inactive looks calm only if it is watched: by rules, whose sources answer. */
export function stateStyle(state: string, isWatched: boolean): Style | undefined {
  return state === 'ALERTSTATE_INACTIVE' && isWatched ? 'green' : stateStyles[state];
}

/** A view of resources of one station, or of several, some of which no source may be watching. */
export function watchedView<Row extends Resource & { readonly station?: string }>(
  view: View<Row>,
  unwatched: Unwatched,
): View<Row> {
  let silent: ReadonlySet<string> = new Set();
  const styled = unwatched.then((stations) => {
    silent = stations;
  });
  const isSilent = ({ station }: Row) => (station === undefined ? silent.size > 0 : silent.has(station));
  const style = (row: Row) => stateStyle(row.state, row.alert_rules_count > 0 && !isSilent(row));
  const columns = view.columns.map((column) => (column.name === 'state' ? { ...column, style } : column));
  return { ...view, columns, styled };
}

export const resourceView: View<Resource> = {
  columns: [
    { name: 'display_name', header: 'DISPLAY NAME', value: (row) => row.display_name },
    {
      name: 'state',
      header: 'STATE',
      value: (row) => row.state,
      show: (row) => showState(row.state),
      style: (row) => stateStyle(row.state, row.alert_rules_count > 0),
    },
    {
      name: 'alert_rules_count',
      header: 'RULES',
      value: (row) => row.alert_rules_count,
      show: (row) => (row.alert_rules_count === 0 ? 'none' : String(row.alert_rules_count)),
      style: (row) => (row.alert_rules_count === 0 ? 'yellow' : undefined),
      isSpare: true,
    },
    { name: 'resource_type_label', header: 'TYPE', value: (row) => row.resource_type.label, isSpare: true },
    { name: 'sku', header: 'SKU', value: (row) => row.sku, isSpare: true },
    { name: 'gpu_model', header: 'GPU MODEL', value: (row) => row.gpu_model, isSpare: true },
    { name: 'resource_id', header: 'ID', value: (row) => row.resource_id },
    { name: 'name', header: 'NAME', value: (row) => row.name, isWide: true },
    { name: 'resource_type', header: 'TYPE KEY', value: (row) => row.resource_type.key, isWide: true },
    { name: 'create_time', header: 'CREATED', value: (row) => row.create_time, isWide: true },
  ],
  nameOf: (row) => row.resource_id,
  nothing: 'no resources match',
};

/** With the fields that only Roster has. */
export const recordView: View<RecordView> = {
  ...resourceView,
  columns: [
    ...resourceView.columns.slice(0, 2),
    {
      name: 'state_since',
      header: 'SINCE',
      value: (row) => row.state_since,
      show: (row) => formatAge(Date.now() - Date.parse(row.state_since)),
    },
    ...resourceView.columns.slice(2),
    { name: 'product', header: 'PRODUCT', value: (row) => row.product, isWide: true },
    { name: 'alertable', header: 'ALERTABLE', value: (row) => row.alertable, isWide: true },
    { name: 'labels', header: 'LABELS', value: (row) => formatLabels(row.labels), isWide: true },
  ],
};

/** Among those of all stations. */
export const foundView: View<FoundResource> = {
  ...recordView,
  columns: [
    ...recordView.columns.slice(0, 3),
    {
      name: 'station',
      header: 'STATION',
      value: (row) => row.station,
      show: (row) => shortPath(row.station),
      isPath: true,
    },
    ...recordView.columns.slice(3),
  ],
};

/** The four names of a station, every other part of its path, for people. Commands accept them. */
export function shortPath(station: string): string {
  const names = station.split('/').filter((_, at) => at % 2 === 1);
  return readablePath(names.join('/'));
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(';');
}
