import type { RequestListener } from 'node:http';
import type { Engine, Store } from '@roster/engine';
import type { FastifyInstance } from 'fastify';
import type { KnownTokens } from '../access/known-tokens.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ChangeStreams } from '../watch/change-streams.ts';
import { registerChangeRoutes } from './change-routes.ts';
import { Docs } from './docs.ts';
import { registerExportRoute } from './export-route.ts';
import { registerMetricsRoute } from './metrics-route.ts';
import { type OidcRouteOptions, registerOidcRoutes } from './oidc-routes.ts';
import { registerResourceRoutes } from './resource-routes.ts';
import { registerServerRoutes } from './server-routes.ts';
import { registerSessionRoutes, type SessionRouteOptions } from './session-routes.ts';
import { registerStationRoutes } from './station-routes.ts';
import { registerSummaryRoute } from './summary-route.ts';
import { registerTokenRoutes } from './token-routes.ts';
import { registerTypeRoutes } from './type-routes.ts';
import { registerWriteRoute } from './write-route.ts';

export interface RouteOptions extends SessionRouteOptions, OidcRouteOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly streams: ChangeStreams;
  readonly metrics: Metrics;
  readonly hasMetricsPort: boolean;
  readonly maxBodyBytes: number;
  readonly knownTokens: KnownTokens | undefined;
  readonly isDraining: () => boolean;
  readonly onNotFound: RequestListener;
}

/** Registers every operation but the list, which `ListHandler` answers. */
export function registerRoutes(app: FastifyInstance, options: RouteOptions): void {
  const { store, engine, streams, metrics, maxBodyBytes, isDraining, onNotFound, knownTokens } = options;
  registerStationRoutes(app, store);
  registerWriteRoute(app, { store, engine, maxBodyBytes, importedBytes: metrics.importedBytes });
  registerResourceRoutes(app, store, engine);
  registerChangeRoutes(app, { store, engine, streams });
  registerSummaryRoute(app, engine);
  registerExportRoute(app, engine);
  registerTypeRoutes(app, store, engine);
  registerTokenRoutes(app, { store: store.tokens, known: knownTokens });
  registerSessionRoutes(app, options);
  registerOidcRoutes(app, options);
  registerMetricsRoute(app, metrics.registry, options.hasMetricsPort);
  registerServerRoutes(app, { docs: new Docs(onNotFound), isDraining });
}
