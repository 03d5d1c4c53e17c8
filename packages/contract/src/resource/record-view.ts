import type { Static } from 'typebox';
import type { RecordViewSchema } from '../schemas/resource.ts';
import { isoTime } from './iso-time.ts';
import { parseLabels } from './labels.ts';
import type { Resource } from './resource.ts';

/** A resource in the roster API: the documented fields, then our own. */
export type RecordView = Static<typeof RecordViewSchema>;

export function viewRecord(resource: Resource, label: string): RecordView {
  return {
    resource_type: { key: resource.typeKey, label },
    resource_id: resource.resourceId,
    create_time: resource.createTime,
    sku: resource.sku,
    state: resource.state,
    display_name: resource.displayName,
    alert_rules_count: resource.alertRulesCount,
    name: resource.name,
    gpu_model: resource.gpuModel,
    product: resource.product,
    alertable: resource.alertable,
    state_since: isoTime(resource.stateSinceMs),
    labels: parseLabels(resource.labels),
  };
}
