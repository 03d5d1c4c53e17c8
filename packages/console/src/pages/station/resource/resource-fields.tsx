import type { StoredResource } from '@roster/client';
import type { ReactNode } from 'react';
import { StateMark } from '../../../components/state-mark.tsx';
import { useMessages } from '../../../messages/messages.ts';

export function ResourceFields({ resource }: { readonly resource: StoredResource }) {
  const { fields: names, common } = useMessages();
  const { key, label } = resource.resource_type;
  const fields: [name: keyof typeof names, value: ReactNode][] = [
    ['display_name', resource.display_name],
    ['state', <StateMark key="state" state={resource.state} />],
    ['resource_type', label],
    ['type_key', <code key="type">{key}</code>],
    ['alert_rules_count', resource.alert_rules_count],
    ['alertable', resource.alertable ? common.yes : common.no],
    ['product', resource.product],
    ['sku', resource.sku],
    ['gpu_model', resource.gpu_model],
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
