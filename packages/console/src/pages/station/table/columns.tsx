import type { Resource } from '@roster/client';
import type { ReactNode } from 'react';
import { StateMark } from '../../../components/state-mark.tsx';
import { Text } from '../../../components/text.tsx';
import { formatCount, formatTime } from '../../../format/format.ts';
import type { Messages } from '../../../messages/messages.ts';

export interface Column {
  readonly id: keyof Resource;
  readonly minWidth: number;
  /** Share of the remaining width; none unless given. */
  readonly grow?: number;
  readonly isNumber?: boolean;
  readonly cell: (resource: Resource, language: string) => ReactNode;
}

const mono = (value: string) => <Text value={value} className="mono" />;

/** Every documented field. */
export const columns: readonly Column[] = [
  {
    id: 'display_name',
    minWidth: 170,
    grow: 1.4,
    cell: ({ display_name }) => <Text value={display_name} className="strong" />,
  },
  { id: 'state', minWidth: 106, cell: ({ state }) => <StateMark state={state} /> },
  {
    id: 'resource_type',
    minWidth: 150,
    grow: 1.1,
    cell: ({ resource_type: { key, label } }) => (
      <bdi className="text" title={`${label} · ${key}`}>
        {label || key}
      </bdi>
    ),
  },
  {
    id: 'alert_rules_count',
    minWidth: 66,
    isNumber: true,
    cell: ({ alert_rules_count: count }, language) => (
      <span className={count === 0 ? 'quiet' : undefined}>{formatCount(count, language)}</span>
    ),
  },
  { id: 'sku', minWidth: 92, grow: 0.4, cell: ({ sku }) => <Text value={sku} /> },
  { id: 'gpu_model', minWidth: 136, grow: 0.5, cell: ({ gpu_model }) => <Text value={gpu_model} /> },
  { id: 'resource_id', minWidth: 148, grow: 0.6, cell: ({ resource_id }) => mono(resource_id) },
  { id: 'name', minWidth: 150, grow: 1, cell: ({ name }) => <Text value={name} /> },
  {
    id: 'create_time',
    minWidth: 168,
    cell: ({ create_time }) => (
      <span className="text numeric" title={create_time}>
        {formatTime(create_time)}
      </span>
    ),
  },
];

/** CSS grid tracks of the columns, and their minimum width. */
export function columnLayout(shown: readonly Column[]): { tracks: string; minWidth: number } {
  return {
    tracks: shown
      .map(({ minWidth, grow }) => (grow ? `minmax(${minWidth}px, ${grow}fr)` : `${minWidth}px`))
      .join(' '),
    minWidth: shown.reduce((sum, { minWidth }) => sum + minWidth, 0),
  };
}

export function columnTitle({ id }: Column, { fields }: Messages): string {
  return fields[id];
}
