import { RosterError } from '@roster/contract';
import type { Registry } from 'prom-client';
import { type Handlers, notFound } from '../../http/answer.ts';
import { renderMetrics } from '../../metrics/render-metrics.ts';
import { version } from '../../version.ts';

export interface ServerOptions {
  readonly registry: Registry;
  /** Where metrics have a port of their own, the main one has none. */
  readonly hasMetricsPort: boolean;
  readonly isDraining: () => boolean;
  /** Why nothing can be answered until a restart; undefined as long as it can. */
  readonly lost: () => RosterError | undefined;
}

/** What the server says about itself. */
export function serverOperations(
  options: ServerOptions,
): Pick<Handlers, 'health' | 'readiness' | 'metrics' | 'openapi'> {
  const { registry, hasMetricsPort, isDraining, lost } = options;
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

    // Loaded on demand: it takes longer to load than everything that lists need.
    async openapi() {
      const { openApiDocument } = await import('@roster/contract/openapi');
      return { body: openApiDocument(version) };
    },
  };
}
