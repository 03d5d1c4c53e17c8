import { parseSummaryQuery } from '@roster/contract';
import type { Counts, Engine, Summary } from '@roster/engine';
import type { FastifyInstance } from 'fastify';
import { route, searchOf } from './route.ts';
import { isNotModified, readStation, setHeaders } from './station-reading.ts';

export function registerSummaryRoute(app: FastifyInstance, engine: Engine): void {
  route(app, 'summariseResources', async (request, reply) => {
    const query = parseSummaryQuery(searchOf(request));
    const { snapshot, labels, rendition } = await readStation(request, engine);
    setHeaders(reply, rendition.headers);
    if (isNotModified(request, rendition.headers)) return reply.code(304).send();
    const labelOf = (typeKey: string) => labels.labelOf(typeKey, rendition.locale);
    return reply.send(viewSummary(snapshot.summarise(query), labelOf));
  });
}

function viewSummary(summary: Summary, labelOf: (typeKey: string) => string): object {
  return {
    ...viewCounts(summary),
    types: summary.byType.map((counts) => ({
      key: counts.typeKey,
      label: labelOf(counts.typeKey),
      ...viewCounts(counts),
    })),
    products: summary.byProduct.map((counts) => ({ product: counts.product, ...viewCounts(counts) })),
  };
}

function viewCounts({ total, alertable, covered, uncovered, byState }: Counts): object {
  return { total, alertable, covered, uncovered, states: byState };
}
