import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { SendResult } from '@fastify/send';
import { type Answer, notFound, otherMethod } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Headers } from '../../http/headers.ts';
import { version } from '../../version.ts';

/** The paths where the console shows a page. */
const consolePages = /^\/(?:$|stations(?:\/|$)|resources$|import$|types$|sources$|tokens$|about$|signed-in$)/;
const docsFiles = /^\/docs(?:\/|$)/;
const assets = /^\/(?:assets\/|favicon\.svg$)/;
/** Paths of programs, and of files. */
const neverPages = /^\/(?:roster|monitor|assets)(?:\/|$)|\.\w+$/;

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const overview = { name: 'roster', version, docs: '/docs', openapi: '/openapi.json' };

/** Browsers load only what this server sends, and show it in no frame. */
const pageHeaders: Headers = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  Vary: 'Accept, Accept-Encoding',
};

const docsHeaders: Headers = {
  ...pageHeaders,
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
  Vary: 'Accept-Encoding',
};

/** Their names change with their content. */
const assetHeaders: Headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  Vary: 'Accept-Encoding',
};

const iconHeaders: Headers = { ...assetHeaders, 'Cache-Control': 'public, max-age=86400' };

/** The built console and the API reference, for the paths that no operation has. */
export class StaticFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async answer(exchange: Exchange): Promise<Answer> {
    const { path: asked, isRead } = exchange;
    if (docsFiles.test(asked)) {
      if (!isRead) return otherMethod(['GET', 'HEAD', 'OPTIONS'])(exchange);
      return this.#docs(exchange);
    }
    if (!isRead) throw notFound();
    if (consolePages.test(asked)) return this.#page(exchange);
    if (assets.test(asked)) {
      return this.#send(exchange, asked, asked.startsWith('/assets/') ? assetHeaders : iconHeaders);
    }
    if (neverPages.test(asked) || !isFromBrowser(exchange)) throw notFound();
    // The console says that it has no such page.
    return { ...(await this.#page(exchange)), status: 404 };
  }

  /** The OpenAPI document stands in for a reference that is not built. */
  async #docs(exchange: Exchange): Promise<Answer> {
    const { path: asked } = exchange;
    if (!/^\/docs\/?$/.test(asked)) return this.#send(exchange, asked, docsHeaders);
    if (await this.#has('docs/index.html')) return this.#send(exchange, '/docs/index.html', docsHeaders);
    return { status: 302, headers: { Location: '/openapi.json', 'Cache-Control': 'no-cache' } };
  }

  /** Only for browsers. Programs get an overview. */
  async #page(exchange: Exchange): Promise<Answer> {
    if (!isFromBrowser(exchange)) {
      if (exchange.path !== '/') throw notFound();
      return { headers: { Vary: 'Accept' }, body: overview };
    }
    if (await this.#has('index.html')) return this.#send(exchange, '/index.html', pageHeaders);
    return {
      status: 503,
      headers: { ...pageHeaders, 'Content-Type': contentTypes['.html']! },
      body: unbuiltConsole,
    };
  }

  async #has(file: string): Promise<boolean> {
    return (await stat(path.join(this.#directory, file)).catch(() => undefined)) !== undefined;
  }

  async #send({ request }: Exchange, file: string, headers: Headers): Promise<Answer> {
    // No file has an escaped name or another type.
    const type = /%|\.\.|\/\//.test(file) ? undefined : contentTypes[path.extname(file)];
    if (type === undefined) throw notFound();
    const accepts = /\bgzip\b/.test(String(request.headers['accept-encoding']));
    const compressed = accepts ? await this.#open(request, `${file}.gz`) : undefined;
    const found = compressed ?? (await this.#open(request, file));
    if (found === undefined) throw notFound();
    return {
      status: found.statusCode,
      headers: {
        ...found.headers,
        ...headers,
        'Content-Type': type,
        ...(compressed && { 'Content-Encoding': 'gzip' }),
      },
      body: found.stream,
    };
  }

  async #open(request: IncomingMessage, file: string): Promise<SendResult | undefined> {
    const { send } = await import('@fastify/send');
    const root = this.#directory;
    // Pages of different builds may have the same time.
    const validators = !/\.html(?:\.gz)?$/.test(file);
    const result = await send(request, file, {
      root,
      index: false,
      cacheControl: false,
      contentType: false,
      etag: validators,
      lastModified: validators,
    });
    return result.type === 'file' ? result : undefined;
  }
}

function isFromBrowser({ request }: Exchange): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}

const unbuiltConsole = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Roster</title>
<h1>The console is not built</h1>
<p>The API works: see its <a href="/openapi.json">OpenAPI document</a>.</p>
<p>To build the console, run <code>npm run build -w packages/console</code> and load this page again.</p>
</html>
`;
