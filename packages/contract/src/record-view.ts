import type { Resource } from './resource.ts';

/** A resource as Roster's own operations show it: the documented fields, then what the filters need. */
export interface RecordView {
  readonly resource_type: { readonly key: string; readonly label: string };
  readonly resource_id: string;
  readonly create_time: string;
  readonly sku: string;
  readonly state: string;
  readonly display_name: string;
  readonly alert_rules_count: number;
  readonly name: string;
  readonly gpu_model: string;
  readonly product: string;
  readonly alertable: boolean;
}

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
  };
}
