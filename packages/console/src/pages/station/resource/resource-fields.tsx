import type { StoredResource } from '@roster/client';
import type { ReactNode } from 'react';
import { StateMark } from '../../../components/state-mark.tsx';
import { formatTime } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { Age } from '../age.tsx';
import { Labels } from '../labels.tsx';

interface ResourceFieldsProps {
  readonly resource: StoredResource;
  /** The list of the resources with this label. */
  readonly hrefOfLabel: (key: string, value: string) => string;
}

export function ResourceFields({ resource, hrefOfLabel }: ResourceFieldsProps) {
  const { fields: names, common } = useMessages();
  const { key, label } = resource.resource_type;
  const hasLabels = Object.keys(resource.labels).length > 0;
  const fields: [name: keyof typeof names, value: ReactNode][] = [
    ['display_name', resource.display_name],
    ['state', <StateMark key="state" state={resource.state} />],
    [
      'state_since',
      <span key="since">
        <Age time={resource.state_since} />{' '}
        <span className="text quiet">{formatTime(resource.state_since)} UTC</span>
      </span>,
    ],
    ['resource_type', label],
    ['type_key', <code key="type">{key}</code>],
    ['alert_rules_count', resource.alert_rules_count],
    ['alertable', resource.alertable ? common.yes : common.no],
    ['product', resource.product],
    ['sku', resource.sku],
    ['gpu_model', resource.gpu_model],
    ['labels', hasLabels ? <Labels key="labels" labels={resource.labels} hrefOf={hrefOfLabel} /> : ''],
    ['name', resource.name],
    ['resource_id', <code key="id">{resource.resource_id}</code>],
    ['create_time', resource.create_time],
    ['changed_at', resource.changed_at],
    ['revision', <code key="revision">{resource.revision}</code>],
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
