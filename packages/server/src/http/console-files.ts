import { readdir, readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pageSecurityHeaders } from '../protection/security-headers.ts';
import { version } from '../version.ts';
import { unbuiltConsole } from './unbuilt-console.ts';

interface ConsoleFile {
  readonly bytes: Buffer;
  readonly type: string;
  /** Made when it is first asked for. */
  gzipped?: Promise<Buffer>;
}

interface BuiltConsole {
  readonly builtAtMs: number;
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The paths that the console shows a page at. */
const pages = /^\/(?:$|stations(?:\/|$)|import$|types$|tokens$|about$|signed-in$)/;

/** What pages are made of; the names change with the content. */
const assets = /^\/(?:assets\/|favicon\.svg$)/;

/** Browsers run and load nothing but what this server sends, and show it in no frame. */
const pageHeaders = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ...pageSecurityHeaders,
  Vary: 'Accept, Accept-Encoding',
};

/** Their names change with their content. */
const assetHeaders = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  Vary: 'Accept-Encoding',
};

const iconHeaders = { ...assetHeaders, 'Cache-Control': 'public, max-age=86400' };

const overview = JSON.stringify({ name: 'roster', version, docs: '/docs', openapi: '/openapi.json' });

/** The built console, held in memory from the first request on and read anew after another build. */
export class ConsoleFiles {
  readonly #directory: string;
  #built: BuiltConsole | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Whether the request was the console's to answer. Programs that do not ask for a page get none. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const asked = request.url!.split('?')[0]!;
    if (pages.test(asked)) return this.#answerPage(asked, request, response);
    if (!assets.test(asked)) return false;
    const file = (await this.#load())?.files.get(asked);
    if (file === undefined) return false;
    await send(file, asked.startsWith('/assets/') ? assetHeaders : iconHeaders, { request, response });
    return true;
  }

  async #answerPage(asked: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (!request.headers.accept?.includes('text/html')) {
      if (asked !== '/') return false;
      writeHead(response, 200, { 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept' });
      response.end(overview);
      return true;
    }
    const page = (await this.#load())?.files.get('/index.html');
    if (page !== undefined) await send(page, pageHeaders, { request, response });
    else {
      writeHead(response, 503, { ...pageHeaders, 'Content-Type': contentTypes['.html']! });
      response.end(unbuiltConsole);
    }
    return true;
  }

  /** Undefined where the console has not been built. */
  async #load(): Promise<BuiltConsole | undefined> {
    const builtAtMs = await stat(path.join(this.#directory, 'index.html')).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (builtAtMs === undefined) return undefined;
    if (this.#built?.builtAtMs !== builtAtMs) {
      this.#built = { builtAtMs, files: await readFiles(this.#directory) };
    }
    return this.#built;
  }
}

async function readFiles(directory: string): Promise<Map<string, ConsoleFile>> {
  const files = new Map<string, ConsoleFile>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const type = contentTypes[path.extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(`/${path.relative(directory, file)}`, { bytes: await readFile(file), type });
  }
  return files;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

type Headers = Readonly<Record<string, string>> & { readonly Vary: string };

/** What was said in `Vary` before stays said. */
function writeHead(response: ServerResponse, status: number, { Vary, ...headers }: Headers): void {
  response.appendHeader('Vary', Vary);
  response.writeHead(status, headers);
}

async function send(file: ConsoleFile, headers: Headers, { request, response }: Exchange): Promise<void> {
  const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding']));
  if (isCompressed) file.gzipped ??= promisify(gzip)(file.bytes, { level: 9 });
  const body = isCompressed ? await file.gzipped! : file.bytes;
  writeHead(response, 200, {
    ...headers,
    'Content-Type': file.type,
    'Content-Length': String(body.length),
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
