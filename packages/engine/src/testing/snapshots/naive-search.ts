import { foldText, parseLabels, type Resource, type SearchFilters, type SearchQuery } from '@roster/contract';

/** A search said as plainly as possible: a filter and a sort. */
export function searchNaively(resources: Iterable<Resource>, query: SearchQuery): Resource[] {
  const { field, isDescending } = query.order;
  const sign = isDescending ? -1 : 1;
  const found = [...resources].filter((resource) => isFound(resource, query));
  if (field === 'display_name') return found.sort((a, b) => sign * inListOrder(a, b));
  const ranks: Record<string, (resource: Resource) => number | string> = {
    name: ({ name }) => name,
    state: ({ state }) => `${severityOf(state)} ${state}`,
    state_since: ({ stateSinceMs }) => stateSinceMs,
    alert_rules_count: ({ alertRulesCount }) => alertRulesCount,
    create_time: ({ createTime }) => Date.parse(createTime),
    resource_type: ({ typeKey }) => typeKey,
  };
  const rankOf = ranks[field]!;
  return found.sort((a, b) => sign * compare(rankOf(a), rankOf(b)) || inListOrder(a, b));
}

/** The counts of a facet's values among what all other filters leave. */
export function countNaively(
  resources: Iterable<Resource>,
  query: SearchQuery,
  facet: string,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const resource of searchNaively(resources, { ...query, ...withoutFilter(query, facet) })) {
    const value = facetOf(resource, facet);
    if (value !== undefined && value !== '') counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

function withoutFilter(query: SearchFilters, facet: string): Partial<SearchFilters> {
  switch (facet) {
    case 'state':
      return { states: undefined };
    case 'resource_type':
      return { types: undefined };
    case 'product':
      return { product: undefined };
    case 'covered':
      return { covered: undefined };
    case 'gpu_model':
      return { gpuModels: undefined };
    case 'sku':
      return { skus: undefined };
    default:
      return { labels: new Map([...query.labels].filter(([key]) => `label.${key}` !== facet)) };
  }
}

function facetOf(resource: Resource, facet: string): string | undefined {
  switch (facet) {
    case 'state':
      return resource.state;
    case 'resource_type':
      return resource.typeKey;
    case 'product':
      return resource.product;
    case 'covered':
      return resource.alertable ? String(resource.alertRulesCount > 0) : undefined;
    case 'gpu_model':
      return resource.gpuModel;
    case 'sku':
      return resource.sku;
    default:
      return parseLabels(resource.labels)[facet.slice('label.'.length)];
  }
}

function isFound(resource: Resource, query: SearchFilters): boolean {
  const { resourceIds, types, product, displayNamePrefix, alertableOnly, text } = query;
  const labels = parseLabels(resource.labels);
  const created = Date.parse(resource.createTime);
  const checks = [
    resourceIds === undefined || resourceIds.includes(resource.resourceId),
    types === undefined || types.includes(resource.typeKey),
    product === undefined || product === resource.product,
    displayNamePrefix === undefined || resource.displayName.startsWith(displayNamePrefix),
    !alertableOnly || resource.alertable,
    query.states === undefined || query.states.includes(resource.state),
    query.alertable === undefined || query.alertable === resource.alertable,
    query.covered === undefined || (resource.alertable && query.covered === resource.alertRulesCount > 0),
    query.skus === undefined || query.skus.includes(resource.sku),
    query.gpuModels === undefined || query.gpuModels.includes(resource.gpuModel),
    [...query.labels].every(([key, values]) => labels[key] !== undefined && values.includes(labels[key])),
    created >= query.createdMs.from && created < query.createdMs.to,
    resource.stateSinceMs >= query.stateSinceMs.from && resource.stateSinceMs < query.stateSinceMs.to,
    text === undefined ||
      [resource.displayName, resource.name, resource.resourceId].some((each) =>
        foldText(each).includes(text),
      ),
  ];
  return checks.every((isTrue) => isTrue);
}

function severityOf(state: string): number {
  const known = [
    'ALERTSTATE_FIRING',
    'ALERTSTATE_PENDING',
    '',
    'ALERTSTATE_SUPPRESSED',
    'ALERTSTATE_INACTIVE',
  ];
  return known.includes(state) ? known.indexOf(state) : 2;
}

function inListOrder(a: Resource, b: Resource): number {
  return compare(a.displayName, b.displayName) || compare(a.resourceId, b.resourceId);
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
