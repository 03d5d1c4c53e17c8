import type { ListQuery, Resource } from '@roster/contract';
import { SeededRandom } from '../../../testing/seeded-random.ts';
import { anyResource, mixedQueries } from './mixed-queries.ts';
import { teams } from './resource-kinds.ts';

/** The cases of the documented list. */
export const documentedCaseNames = ['C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', '304'] as const;

/** The cases of the search, which only Roster has. */
export const searchCaseNames = ['F1', 'F2', 'F3', 'F4'] as const;

export const listCaseNames = [...documentedCaseNames, ...searchCaseNames] as const;

export type ListCaseName = (typeof listCaseNames)[number];
export type DocumentedCaseName = (typeof documentedCaseNames)[number];

/** The query string of a search; undefined for the documented list. */
export const searchOfCase: Readonly<Partial<Record<ListCaseName, string>>> = {
  F1: 'state=firing&page.size=20',
  F2: 'covered=false&resource_type=resource_type.compute.gpu_node&page.size=20',
  F3: 'order_by=-state_since&page.size=20',
  F4: 'state=firing&facets=state,resource_type,product,covered,gpu_model,label.rack&page.size=20',
};

export const listCaseTitles: Readonly<Record<ListCaseName, string>> = {
  C1: 'first page of 20',
  C2: 'last page of 20',
  C3: 'type and name prefix, offset 40',
  C4: 'three types, alertable, offset 200',
  C5: 'fifty ids',
  C6: 'prefix that 1 % match',
  C7: 'mix of 20 000 queries',
  '304': 'unchanged since the given ETag',
  F1: 'what is firing',
  F2: 'GPU nodes without rules',
  F3: 'newest states first',
  F4: 'facets of what is firing',
};

const mixedQueryCount = 20_000;

/** The queries of one case: a single one, or many in rotation. */
export function queriesOfCase(name: DocumentedCaseName, resources: readonly Resource[]): ListQuery[] {
  switch (name) {
    case 'C1':
    case '304':
      return [anyResource];
    case 'C2':
      return [{ ...anyResource, page: { offset: resources.length - 20, size: 20 } }];
    case 'C3':
      return [
        {
          ...anyResource,
          types: ['resource_type.compute.gpu_node'],
          displayNamePrefix: 'gpu-node-east-1b-',
          page: { offset: 40, size: 20 },
        },
      ];
    case 'C4':
      return [
        {
          ...anyResource,
          types: [
            'resource_type.compute.vm',
            'resource_type.compute.gpu_vm',
            'resource_type.storage.block_volume',
          ],
          alertableOnly: true,
          page: { offset: 200, size: 50 },
        },
      ];
    case 'C5':
      return [{ ...anyResource, resourceIds: fiftyIds(resources), page: { offset: 0, size: 50 } }];
    case 'C6':
      return [{ ...anyResource, displayNamePrefix: prefixOfOnePercent(resources) }];
    case 'C7':
      return mixedQueries(resources, mixedQueryCount);
  }
}

function fiftyIds(resources: readonly Resource[]): string[] {
  const random = new SeededRandom(50);
  const ids = new Set<string>();
  while (ids.size < 50) ids.add(random.pick(resources).resourceId);
  return [...ids];
}

function prefixOfOnePercent(resources: readonly Resource[]): string {
  const wanted = resources.length / 100;
  const candidates = teams.map((team) => {
    const prefix = `vm-${team}-`;
    const matches = resources.filter((resource) => resource.displayName.startsWith(prefix)).length;
    return { prefix, distance: Math.abs(matches - wanted) };
  });
  return candidates.reduce((best, next) => (next.distance < best.distance ? next : best)).prefix;
}
