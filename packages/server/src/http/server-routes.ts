import { RosterError } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import type { Docs } from './docs.ts';
import { route } from './route.ts';

export interface ServerRouteOptions {
  readonly docs: Docs;
  readonly isDraining: () => boolean;
}

export function registerServerRoutes(app: FastifyInstance, { docs, isDraining }: ServerRouteOptions): void {
  route(app, 'health', async () => ({ status: 'ok' }));

  route(app, 'readiness', async () => {
    if (isDraining()) throw new RosterError('shutting_down', 'the server is shutting down');
    return { status: 'ready' };
  });

  route(app, 'openapi', () => docs.document());
  docs.register(app);
}
