import type { RequestListener } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { pageSecurityHeaders } from '../protection/security-headers.ts';
import { version } from '../version.ts';

export const docsPath = '/docs';

/**
 * The browsable reference at /docs and the OpenAPI document. All of it comes from this server, and none of
 * it is loaded before someone asks: it takes longer to load than everything that lists need.
 */
export class Docs {
  #document: Promise<Record<string, unknown>> | undefined;
  #pages: Promise<FastifyInstance> | undefined;
  readonly #onNotFound: RequestListener;

  constructor(onNotFound: RequestListener) {
    this.#onNotFound = onNotFound;
  }

  document(): Promise<Record<string, unknown>> {
    this.#document ??= loadDocument().catch((error) => {
      this.#document = undefined;
      throw error;
    });
    return this.#document;
  }

  register(app: FastifyInstance): void {
    for (const url of [docsPath, `${docsPath}/*`]) {
      app.get(url, async (request, reply) => {
        this.#pages ??= this.#createPages().catch((error) => {
          this.#pages = undefined;
          throw error;
        });
        const pages = await this.#pages;
        reply.hijack();
        pages.routing(request.raw, reply.raw);
      });
    }
  }

  async #createPages(): Promise<FastifyInstance> {
    const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
      import('@fastify/swagger'),
      import('@fastify/swagger-ui'),
    ]);
    const pages = fastify();
    await pages.register(swagger, {
      mode: 'static',
      specification: { document: (await this.document()) as never },
    });
    await pages.register(swaggerUi, {
      routePrefix: docsPath,
      staticCSP:
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
      uiConfig: {
        deepLinking: true,
        docExpansion: 'list',
        tryItOutEnabled: true,
        defaultModelsExpandDepth: 0,
      },
      theme: { title: 'Roster API reference', css: [{ filename: 'roster.css', content: hiddenParts }] },
    });
    pages.addHook('onSend', async (_request, reply) => void reply.headers(pageSecurityHeaders));
    pages.setNotFoundHandler((request, reply) => {
      reply.hijack();
      this.#onNotFound(request.raw, reply.raw);
    });
    await pages.ready();
    return pages;
  }
}

async function loadDocument(): Promise<Record<string, unknown>> {
  const { openApiDocument } = await import('@roster/contract/openapi');
  return openApiDocument(version);
}

/** The page is about this one server, so it needs neither a bar to load other documents nor a choice of servers. */
const hiddenParts =
  '.swagger-ui .topbar, .swagger-ui .scheme-container .schemes .schemes-server-container { display: none; }';
