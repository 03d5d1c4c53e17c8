import { RosterError } from '@roster/contract';
import { type Handlers, notFound } from '../../http/answer.ts';
import { renderMetrics } from '../../metrics/scraped-gauge.ts';
import { version } from '../../version.ts';
import type { OperationOptions } from '../operation-options.ts';

/** What the server says about itself. */
export function serverOperations(
  options: OperationOptions,
): Pick<Handlers, 'health' | 'readiness' | 'metrics' | 'openapi'> {
  const { hasMetricsPort, isDraining, lost } = options;
  const { registry } = options.metrics;
  return {
    health: () => ({ body: { status: 'ok' } }),

    readiness() {
      if (isDraining()) throw new RosterError('shutting_down', 'the server is shutting down');
      const why = lost();
      if (why !== undefined) throw why;
      return { body: { status: 'ready' } };
    },

    async metrics() {
      if (hasMetricsPort) throw notFound();
      return { headers: { 'Content-Type': registry.contentType }, body: await renderMetrics(registry) };
    },

    // Loaded on demand: it takes longer than everything that lists need.
    async openapi() {
      const { openApiDocument } = await import('@roster/contract/openapi');
      return { body: openApiDocument(version) };
    },
  };
}
