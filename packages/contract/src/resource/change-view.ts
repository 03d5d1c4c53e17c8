import type { Static } from 'typebox';
import type { ChangeSchema } from '../schemas/resource.ts';
import { type LabelMap, parseLabels } from './labels.ts';
import { viewRecord } from './record-view.ts';
import type { Resource } from './resource.ts';

/** A change, made or planned, to one resource. */
export type ChangeView = Static<typeof ChangeSchema>;

/** How a change looks to someone who sees only what matches some filters; undefined if it is not seen. */
export type Match = 'entered' | 'left' | 'stayed';

export function matchOf(
  before: Resource | undefined,
  after: Resource | undefined,
  isMatch: (resource: Resource) => boolean,
): Match | undefined {
  const did = before !== undefined && isMatch(before);
  const does = after !== undefined && isMatch(after);
  if (did) return does ? 'stayed' : 'left';
  return does ? 'entered' : undefined;
}

type Fields = NonNullable<ChangeView['fields']>;

/** At least one of the two resources is given. */
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

/** A new time of the state goes without saying where the state is new. */
function differences(before: Resource, after: Resource): Fields {
  const found: Fields = {};
  for (const [field, property] of Object.entries(comparedFields)) {
    if (before[property] !== after[property]) {
      found[field] = { before: before[property], after: after[property] };
    }
  }
  if (before.state === after.state && before.stateSinceMs !== after.stateSinceMs) {
    found.state_since = { before: timeOf(before.stateSinceMs), after: timeOf(after.stateSinceMs) };
  }
  if (before.labels !== after.labels) Object.assign(found, labelDifferences(before.labels, after.labels));
  return found;
}

function labelDifferences(before: string, after: string): Fields {
  const [old, current] = [parseLabels(before), parseLabels(after)];
  const found: Fields = {};
  for (const key of Object.keys({ ...old, ...current }).sort()) {
    const difference = { before: labelOf(old, key), after: labelOf(current, key) };
    if (difference.before !== difference.after) found[`labels.${key}`] = difference;
  }
  return found;
}

function labelOf(labels: LabelMap, key: string): string | null {
  return Object.hasOwn(labels, key) ? labels[key]! : null;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
