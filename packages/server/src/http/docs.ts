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
    staticCSP:
      "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
    uiConfig: { deepLinking: true, docExpansion: 'list', tryItOutEnabled: true, defaultModelsExpandDepth: 0 },
    theme: { title: 'Roster API reference', css: [{ filename: 'roster.css', content: hiddenParts }] },
  });
}

/** The page is about this one server, so it needs neither a bar to load other documents nor a choice of servers. */
const hiddenParts = '.swagger-ui .topbar, .swagger-ui .scheme-container { display: none; }';
