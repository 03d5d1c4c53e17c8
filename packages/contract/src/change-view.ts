import { type RecordView, viewRecord } from './record-view.ts';
import type { Resource } from './resource.ts';

interface FieldDifference {
  readonly before: string | number | boolean;
  readonly after: string | number | boolean;
}

/** What happened, or would happen, to one resource. */
export interface ChangeView {
  readonly change: 'created' | 'updated' | 'removed';
  readonly resource_id: string;
  /** The resource after the change; of one that was removed, as it last was. */
  readonly resource: RecordView;
  /** The fields that differ, for an update. */
  readonly fields?: Readonly<Record<string, FieldDifference>>;
}

/** At least one of both resources is given. */
export function viewChange(
  before: Resource | undefined,
  after: Resource | undefined,
  labelOf: (typeKey: string) => string,
): ChangeView {
  const shown = (after ?? before)!;
  const resource = viewRecord(shown, labelOf(shown.typeKey));
  const view = { resource_id: shown.resourceId, resource };
  if (before === undefined) return { change: 'created', ...view };
  if (after === undefined) return { change: 'removed', ...view };
  return { change: 'updated', ...view, fields: differences(before, after) };
}

const comparedFields = {
  resource_type: 'typeKey',
  name: 'name',
  display_name: 'displayName',
  product: 'product',
  alertable: 'alertable',
  state: 'state',
  sku: 'sku',
  gpu_model: 'gpuModel',
  alert_rules_count: 'alertRulesCount',
  create_time: 'createTime',
} as const satisfies Record<string, keyof Resource>;

function differences(before: Resource, after: Resource): Record<string, FieldDifference> {
  const found: Record<string, FieldDifference> = {};
  for (const [field, property] of Object.entries(comparedFields)) {
    if (before[property] !== after[property]) {
      found[field] = { before: before[property], after: after[property] };
    }
  }
  return found;
}
