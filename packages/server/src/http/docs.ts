import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { openApiDocument } from '@roster/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { version } from '../version.ts';

export const docsPath = '/docs';

/** The browsable reference at /docs. All of it comes from this server. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    mode: 'static',
    specification: { document: openApiDocument(version) as never },
  });
  await app.register(swaggerUi, {
    routePrefix: docsPath,
    staticCSP: true,
    uiConfig: { deepLinking: true, docExpansion: 'list', tryItOutEnabled: true, defaultModelsExpandDepth: 0 },
    theme: { title: 'Roster API reference' },
  });
}
