import { foldText } from '../fold-text.ts';
import { parseLabels } from '../resource/labels.ts';
import type { Resource } from '../resource/resource.ts';
import type { SearchFilters, TimeRange } from './search-query.ts';

/** Whether a search finds a resource. For one at a time: a station has an index. */
export function matchesSearch(resource: Resource, filters: SearchFilters): boolean {
  const { resourceIds, types, product, displayNamePrefix, alertableOnly, states } = filters;
  return (
    isOneOf(resource.resourceId, resourceIds) &&
    isOneOf(resource.typeKey, types) &&
    (product === undefined || resource.product === product) &&
    (displayNamePrefix === undefined || resource.displayName.startsWith(displayNamePrefix)) &&
    (!alertableOnly || resource.alertable) &&
    (filters.alertable === undefined || resource.alertable === filters.alertable) &&
    isOneOf(resource.state, states) &&
    isCoveredAs(resource, filters.covered) &&
    isOneOf(resource.sku, filters.skus) &&
    isOneOf(resource.gpuModel, filters.gpuModels) &&
    hasLabels(resource, filters.labels) &&
    isWithin(Date.parse(resource.createTime), filters.createdMs) &&
    isWithin(resource.stateSinceMs, filters.stateSinceMs) &&
    hasText(resource, filters.text)
  );
}

function isOneOf(value: string, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.includes(value);
}

function isCoveredAs({ alertable, alertRulesCount }: Resource, covered: boolean | undefined): boolean {
  return covered === undefined || (alertable && alertRulesCount > 0 === covered);
}

function hasLabels(resource: Resource, wanted: SearchFilters['labels']): boolean {
  if (wanted.size === 0) return true;
  const labels = parseLabels(resource.labels);
  return [...wanted].every(([key, values]) => Object.hasOwn(labels, key) && values.includes(labels[key]!));
}

function isWithin(ms: number, { from, to }: TimeRange): boolean {
  return ms >= from && ms < to;
}

function hasText({ displayName, name, resourceId }: Resource, text: string | undefined): boolean {
  return text === undefined || [displayName, name, resourceId].some((each) => foldText(each).includes(text));
}
