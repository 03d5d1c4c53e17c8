import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { renderMetrics } from '../metrics/render-metrics.ts';
import { notFound } from './answer-unrouted.ts';
import { route } from './route.ts';

/** Where metrics have a port of their own, the main one does not tell them. */
export function registerMetricsRoute(app: FastifyInstance, registry: Registry, hasOwnPort: boolean): void {
  route(app, 'metrics', async (_request, reply) => {
    if (hasOwnPort) throw notFound();
    return reply.type(registry.contentType).send(await renderMetrics(registry));
  });
}
