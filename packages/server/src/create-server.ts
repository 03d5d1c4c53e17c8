import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations, RosterError } from '@roster/contract';
import type { Engine, Store } from '@roster/engine';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import {
  answerClientError,
  answerConnect,
  checkHead,
  maxHeadBytes,
  maxUrlLength,
} from './http/client-error.ts';
import { docsPath } from './http/docs.ts';
import { ListHandler } from './http/list-handler.ts';
import { matchingMethods } from './http/matching-methods.ts';
import { originForm } from './http/origin-form.ts';
import { problemAnswer, sendProblem } from './http/problem.ts';
import { registerRoutes } from './http/routes.ts';

export interface ServerOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly logger: Logger;
  readonly strictQuery: boolean;
  readonly maxUnpaged: number;
  readonly maxBodyBytes: number;
}

export interface RosterServer {
  /** Every operation that is answered, as `METHOD /path/{parameter}`. */
  readonly routes: readonly string[];
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Takes no new work, waits for the work under way at most `graceMs`, then cuts it off. */
  close(graceMs: number): Promise<void>;
}

export async function createServer(options: ServerOptions): Promise<RosterServer> {
  const { store, engine, logger, maxBodyBytes } = options;
  let isDraining = false;
  const answerError: AnswerError = (error, request, response, more) => {
    const answer = problemAnswer(error);
    logProblem(logger, error, answer.problem, request);
    sendProblem(response, answer, more);
  };
  const lists = new ListHandler(engine, { ...options, onError: answerError });

  const app = fastify({
    serverFactory: (handleByFastify) => {
      const handle = (request: IncomingMessage, response: ServerResponse) => {
        try {
          checkHead(request);
          request.url = originForm(request.url!);
        } catch (error) {
          answerError(error, request, response, { Connection: 'close' });
          return;
        }
        if (!lists.handle(request, response)) handleByFastify(request, response);
      };
      const server = http.createServer(
        {
          maxHeaderSize: maxHeadBytes,
          keepAliveTimeout: 65_000,
          requireHostHeader: false,
          // Measured at 6 % of a list request.
          optimizeEmptyRequests: true,
        },
        handle,
      );
      server.on('connect', answerConnect);
      // Node.js answers expectations other than 100-continue with an empty 417; they may be ignored.
      server.on('checkExpectation', handle);
      return server;
    },
    // Fastify would otherwise add a handler of its own that closes the connection at once.
    clientErrorHandler: (error, socket) => answerClientError(error as Error, socket),
    routerOptions: { maxParamLength: maxUrlLength },
    bodyLimit: maxBodyBytes,
    logger: false,
    forceCloseConnections: false,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      answerError(fromFastify(error), request.raw, reply.raw);
      reply.hijack();
    },
  });
  const routes = [formatRoute(operations.listResources)];
  app.addHook('onRoute', ({ method, url }) => {
    if (method !== 'HEAD' && !url.startsWith(docsPath))
      routes.push(formatRoute({ method: String(method), path: url }));
  });
  leaveBodiesUnread(app);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    reply.hijack();
    answerError(fromFastify(error), request.raw, reply.raw);
  });
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    answerUnrouted(request.raw, reply.raw, answerError);
  });
  registerRoutes(app, {
    store,
    maxBodyBytes,
    isDraining: () => isDraining,
    onNotFound: (request, response) => answerError(notFound(), request, response),
  });
  await app.ready();

  return {
    routes,
    async listen(host, port) {
      await app.listen({ host, port });
      return app.server.address() as AddressInfo;
    },
    async close(graceMs) {
      isDraining = true;
      const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs);
      app.server.closeIdleConnections();
      await app.close();
      clearTimeout(cutOff);
    },
  };
}

function formatRoute({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replace(/:([a-z_]+)/g, '{$1}')}`;
}

/** Handlers that want a body read it from the raw request, in their own way and at their own pace. */
function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

type AnswerError = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  more?: Record<string, string>,
) => void;

function answerUnrouted(request: IncomingMessage, response: ServerResponse, answerError: AnswerError): void {
  const path = request.url!.split('?')[0]!;
  const methods = matchingMethods(path);
  const allow = { Allow: methods.join(', ') };
  if (methods.length === 0) {
    answerError(notFound(), request, response);
  } else if (request.method === 'OPTIONS') response.writeHead(204, allow).end();
  else {
    const detail = `${request.method} is not possible here; allowed are ${allow.Allow}`;
    answerError(new RosterError('method_not_allowed', detail), request, response, allow);
  }
}

function notFound(): RosterError {
  return new RosterError('route_not_found', 'there is nothing at this path; see /docs for what there is');
}

/** Fastify's own refusals (a bad URL, a strange content type) in our words; anything else stays what it is. */
function fromFastify(error: FastifyError): unknown {
  if (error instanceof RosterError) return error;
  const status = error.statusCode ?? 500;
  if (status === 413) return new RosterError('body_too_large', 'the body is too large');
  if (status === 414) return new RosterError('uri_too_long', 'the URL is too long');
  if (status === 415)
    return new RosterError('unsupported_media_type', 'this content type is not supported here', {
      parameter: 'Content-Type',
    });
  if (error.code === 'FST_ERR_BAD_URL') {
    return new RosterError('malformed_request', 'the path is not valid percent-encoded UTF-8');
  }
  if (status >= 400 && status < 500) return new RosterError('malformed_request', error.message);
  return error;
}

function logProblem(
  logger: Logger,
  error: unknown,
  problem: { status: number; code: string; request_id: string },
  request: IncomingMessage,
): void {
  const isAbandoned = request.destroyed && !request.complete;
  const level = problem.status >= 500 && !isAbandoned ? 'error' : 'debug';
  const { status, code, request_id } = problem;
  logger[level](
    { err: error, status, code, request_id, method: request.method, url: request.url?.slice(0, 500) },
    'request failed',
  );
}
