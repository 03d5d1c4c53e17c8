import type { Resource } from '@roster/client';
import type { ReactNode } from 'react';
import { StateMark } from '../../components/state-mark.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount, formatTime } from '../../format/format.ts';
import type { Messages } from '../../messages/messages.ts';

export interface Column {
  readonly id: keyof Resource;
  /** As a track of a CSS grid. */
  readonly width: string;
  readonly isNumber?: boolean;
  readonly cell: (resource: Resource, language: string) => ReactNode;
}

const mono = (value: string) => <Text value={value} className="mono" />;

/** Every field that the interface documents. */
export const columns: readonly Column[] = [
  {
    id: 'display_name',
    width: 'minmax(180px, 2fr)',
    cell: ({ display_name }) => <Text value={display_name} className="strong" />,
  },
  { id: 'state', width: '112px', cell: ({ state }) => <StateMark state={state} /> },
  {
    id: 'resource_type',
    width: 'minmax(140px, 1.2fr)',
    cell: ({ resource_type: { key, label } }) => (
      <bdi className="text" title={`${label} · ${key}`}>
        {label || key}
      </bdi>
    ),
  },
  {
    id: 'alert_rules_count',
    width: '84px',
    isNumber: true,
    cell: ({ alert_rules_count: count }, language) => (
      <span className={count === 0 ? 'quiet' : undefined}>{formatCount(count, language)}</span>
    ),
  },
  { id: 'sku', width: 'minmax(90px, 0.7fr)', cell: ({ sku }) => <Text value={sku} /> },
  { id: 'gpu_model', width: 'minmax(120px, 0.9fr)', cell: ({ gpu_model }) => <Text value={gpu_model} /> },
  { id: 'resource_id', width: 'minmax(140px, 1fr)', cell: ({ resource_id }) => mono(resource_id) },
  { id: 'name', width: 'minmax(150px, 1.3fr)', cell: ({ name }) => <Text value={name} /> },
  {
    id: 'create_time',
    width: '152px',
    cell: ({ create_time }) => (
      <span className="text numeric" title={create_time}>
        {formatTime(create_time)}
      </span>
    ),
  },
];

export function columnTitle({ id }: Column, { fields }: Messages): string {
  return fields[id];
}
