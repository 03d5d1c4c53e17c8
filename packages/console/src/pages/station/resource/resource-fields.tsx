import type { ReactNode } from 'react';
import { Labels } from '../../../components/labels.tsx';
import { Age } from '../../../components/live/age.tsx';
import { ResourceState } from '../../../components/state-mark.tsx';
import { Breakable } from '../../../components/text.tsx';
import { UtcTime } from '../../../components/utc-time.tsx';
import { type Messages, useMessages } from '../../../messages/messages.ts';
import type { SnapshotResource } from './use-resource.ts';

interface ResourceFieldsProps {
  readonly resource: SnapshotResource;
  /** The list of the resources with this label. */
  readonly hrefOfLabel: (key: string, value: string) => string;
}

type Field = readonly [name: keyof Messages['fields'], value: ReactNode];

export function ResourceFields({ resource, hrefOfLabel }: ResourceFieldsProps) {
  const { fields: names, common } = useMessages();
  const { key, label } = resource.resource_type;
  const hasLabels = Object.keys(resource.labels).length > 0;
  const fields: readonly Field[] = [
    ['display_name', resource.display_name],
    ['state', <ResourceState key="state" resource={resource} />],
    [
      'state_since',
      <span key="since">
        <Age time={resource.state_since} />{' '}
        <span className="text quiet">
          <UtcTime time={resource.state_since} /> UTC
        </span>
      </span>,
    ],
    ['resource_type', label],
    [
      'type_key',
      <code key="type">
        <Breakable value={key} />
      </code>,
    ],
    ['alert_rules_count', resource.alert_rules_count],
    ['alertable', resource.alertable ? common.yes : common.no],
    ['product', resource.product],
    ['sku', resource.sku],
    ['gpu_model', resource.gpu_model],
    ['labels', hasLabels ? <Labels key="labels" labels={resource.labels} hrefOf={hrefOfLabel} /> : ''],
    ['name', resource.name],
    ['resource_id', <code key="id">{resource.resource_id}</code>],
    ['create_time', <UtcTime key="created" time={resource.create_time} />],
    ...lastChange(resource),
  ];
  return (
    <dl className="fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{names[name]}</dt>
          <dd>{value === '' ? <span className="quiet">–</span> : <bdi>{value}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}

function lastChange({ changed_at, changed_by, revision }: SnapshotResource): readonly Field[] {
  if (changed_at === undefined || revision === undefined) return [];
  return [
    ['changed_at', <UtcTime key="changed" time={changed_at} />],
    ...(changed_by === undefined ? [] : [['changed_by', changed_by] as const]),
    ['revision', <code key="revision">{revision}</code>],
  ];
}
