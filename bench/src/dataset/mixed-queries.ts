import { everything, type ListQuery, type Resource } from '@roster/contract';
import { SeededRandom } from '../../../testing/seeded-random.ts';
import { formatQuery } from './format-query.ts';
import { products, resourceKinds, teams, zones } from './resource-kinds.ts';

const seed = 7_007_007;
const fullestPage = 100;

/** A query without filters; builders override what they are about. */
export const anyResource: ListQuery = { ...everything, page: { offset: 0, size: 20 } };

/** A filter and the share of all resources that it is expected to match. */
interface DrawnFilter {
  readonly filter: Partial<ListQuery>;
  readonly share: number;
}

/**
 * `count` distinct queries of all kinds, the same on every run. Their pages hold about as many rows in a small station
 * as in a large one, so that the rates of both can be compared.
 */
export function mixedQueries(resources: readonly Resource[], count: number): ListQuery[] {
  const random = new SeededRandom(seed);
  const queries = new Map<string, ListQuery>();
  while (queries.size < count) {
    const { filter, share } = drawFilter(random, resources);
    const size = drawPageSize(random);
    const offset = random.below(Math.max(1, Math.floor(share * resources.length) - size));
    const query = { ...anyResource, ...filter, page: { offset, size } };
    queries.set(formatQuery(query), query);
  }
  return [...queries.values()];
}

function drawPageSize(random: SeededRandom): number {
  const draw = random.next();
  if (draw < 0.85) return 20;
  if (draw < 0.92) return 50;
  return draw < 0.96 ? 10 : 100;
}

function drawFilter(random: SeededRandom, resources: readonly Resource[]): DrawnFilter {
  const draw = random.next();
  const alertableOnly = random.next() < 0.25;
  if (draw < 0.15) return { filter: { alertableOnly }, share: 0.9 };
  if (draw < 0.3) return drawTypes(random, { alertableOnly, atMost: 1 });
  if (draw < 0.45) return drawTypes(random, { alertableOnly, atMost: 5 });
  if (draw < 0.55) return { filter: { alertableOnly, product: random.pick(products) }, share: 0.08 };
  if (draw < 0.7) return drawPrefix(random, alertableOnly, resources.length);
  if (draw < 0.8) return drawTypeWithPrefix(random);
  if (draw < 0.9) return drawProductWithPrefix(random, alertableOnly);
  return drawIds(random, resources);
}

function drawTypes(random: SeededRandom, options: { alertableOnly: boolean; atMost: number }): DrawnFilter {
  const types = new Set<string>();
  const wanted = 1 + random.below(options.atMost);
  while (types.size < wanted) types.add(random.pick(resourceKinds).typeKey);
  const percent = resourceKinds.reduce((sum, kind) => sum + (types.has(kind.typeKey) ? kind.percent : 0), 0);
  return { filter: { types: [...types], alertableOnly: options.alertableOnly }, share: percent / 110 };
}

function drawPrefix(random: SeededRandom, alertableOnly: boolean, resourceCount: number): DrawnFilter {
  const kind = random.pick(resourceKinds);
  const owners = kind.namedAfter === 'zone' ? zones : teams;
  const stem = `${kind.nameStem}-${random.pick(owners)}-`;
  const share = kind.percent / 100 / owners.length;
  const filter = { displayNamePrefix: stem, alertableOnly };
  const longerShare = share / 50;
  if (longerShare * resourceCount < fullestPage || random.next() < 0.5) return { filter, share };
  const digits = `00${random.below(10)}`;
  return { filter: { ...filter, displayNamePrefix: `${stem}${digits}` }, share: longerShare };
}

function drawTypeWithPrefix(random: SeededRandom): DrawnFilter {
  const kind = random.pick(resourceKinds);
  const owners = kind.namedAfter === 'zone' ? zones : teams;
  const displayNamePrefix = `${kind.nameStem}-${random.pick(owners)}-`;
  return {
    filter: { types: [kind.typeKey], displayNamePrefix },
    share: kind.percent / 100 / owners.length,
  };
}

function drawProductWithPrefix(random: SeededRandom, alertableOnly: boolean): DrawnFilter {
  const kind = random.pick(resourceKinds);
  const filter = { product: random.pick(kind.products), displayNamePrefix: `${kind.nameStem}-` };
  return { filter: { ...filter, alertableOnly }, share: (kind.percent / 100) * 0.5 };
}

function drawIds(random: SeededRandom, resources: readonly Resource[]): DrawnFilter {
  const wanted = 1 + random.below(20);
  const resourceIds = Array.from({ length: wanted }, () => random.pick(resources).resourceId);
  return { filter: { resourceIds: [...new Set(resourceIds)] }, share: 0 };
}
