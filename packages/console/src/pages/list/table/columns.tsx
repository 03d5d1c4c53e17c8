import type { FoundResource, RecordView } from '@roster/client';
import type { ReactNode } from 'react';
import { Labels } from '../../../components/labels.tsx';
import { Age } from '../../../components/live/age.tsx';
import { ResourceState } from '../../../components/state-mark.tsx';
import { Text } from '../../../components/text.tsx';
import { UtcTime } from '../../../components/utc-time.tsx';
import { formatCount } from '../../../format/format.ts';
import { addressOf, stationName } from '../../../format/station-name.ts';
import type { Messages } from '../../../messages/messages.ts';

/** A resource, in a list of all stations with the path of its own. */
export type Row = RecordView & Partial<Pick<FoundResource, 'station'>>;

export interface Column {
  readonly id: Exclude<keyof Row, 'product' | 'alertable'>;
  /** In pixels, or a length of the style sheets. */
  readonly minWidth: number | `var(--${string})`;
  /** Share of the remaining width; none unless given. */
  readonly grow?: number;
  readonly isNumber?: boolean;
  readonly cell: (resource: Row, language: string) => ReactNode;
}

/** All names of a station, as a hint. */
function placeOf(station: string): string {
  const address = addressOf(station);
  return address === undefined ? station : Object.values(address).join(' / ');
}

const mono = (value: string) => <Text value={value} className="mono" />;

/** Every documented field, and what only Roster keeps. */
export const columns: readonly Column[] = [
  {
    id: 'display_name',
    minWidth: 'var(--name-width)',
    grow: 1.4,
    cell: ({ display_name }) => <Text value={display_name} className="strong" />,
  },
  { id: 'state', minWidth: 120, cell: (resource) => <ResourceState resource={resource} /> },
  { id: 'state_since', minWidth: 80, cell: ({ state_since }) => <Age time={state_since} /> },
  {
    id: 'station',
    minWidth: 120,
    grow: 0.8,
    cell: ({ station = '' }) => (
      <bdi className="text" title={placeOf(station)}>
        {stationName(station)}
      </bdi>
    ),
  },
  {
    id: 'resource_type',
    minWidth: 140,
    grow: 1.1,
    cell: ({ resource_type: { key, label } }) => (
      <bdi className="text" title={`${label} · ${key}`}>
        {label || key}
      </bdi>
    ),
  },
  {
    id: 'alert_rules_count',
    minWidth: 76,
    isNumber: true,
    cell: ({ alert_rules_count: count }, language) => (
      <span className={count === 0 ? 'quiet' : undefined}>{formatCount(count, language)}</span>
    ),
  },
  { id: 'sku', minWidth: 88, grow: 0.4, cell: ({ sku }) => <Text value={sku} /> },
  { id: 'gpu_model', minWidth: 130, grow: 0.5, cell: ({ gpu_model }) => <Text value={gpu_model} /> },
  { id: 'labels', minWidth: 180, grow: 1.4, cell: ({ labels }) => <Labels labels={labels} /> },
  { id: 'resource_id', minWidth: 148, grow: 0.6, cell: ({ resource_id }) => mono(resource_id) },
  { id: 'name', minWidth: 130, grow: 1, cell: ({ name }) => <Text value={name} /> },
  {
    id: 'create_time',
    minWidth: 168,
    cell: ({ create_time }) => <UtcTime time={create_time} />,
  },
];

/** CSS grid tracks of the columns, and their minimum width. */
export function columnLayout(shown: readonly Column[]): { tracks: string; minWidth: string } {
  const length = ({ minWidth }: Column) => (typeof minWidth === 'number' ? `${minWidth}px` : minWidth);
  return {
    tracks: shown
      .map((column) => (column.grow ? `minmax(${length(column)}, ${column.grow}fr)` : length(column)))
      .join(' '),
    minWidth: `calc(${shown.map(length).join(' + ')})`,
  };
}

export function columnTitle({ id }: Column, { fields }: Messages): string {
  return fields[id];
}
