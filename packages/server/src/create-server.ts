import type { AddressInfo } from 'node:net';
import { operations } from '@roster/contract';
import type { Engine, Store } from '@roster/engine';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Authenticator } from './access/authenticator.ts';
import type { KnownTokens } from './access/known-tokens.ts';
import type { OidcSignIn } from './access/oidc/oidc-sign-in.ts';
import { OpenExchanges } from './access/open-exchanges.ts';
import type { Audit } from './audit/audit.ts';
import { type AnswerError, createAnswerError } from './http/answer-error.ts';
import { answerUnrouted, notFound } from './http/answer-unrouted.ts';
import { answerClientError, maxUrlLength } from './http/client-error.ts';
import { ConsoleFiles } from './http/console-files.ts';
import { docsPath } from './http/docs.ts';
import { createHttpServer } from './http/http-server.ts';
import { ListHandler } from './http/list-handler.ts';
import { countRequest } from './http/route.ts';
import { registerRoutes } from './http/routes.ts';
import type { Metrics } from './metrics/metrics.ts';
import { limitConnections } from './protection/connection-limits.ts';
import type { FollowedKeyPair } from './protection/followed-key-pair.ts';
import { Gate, type GateOptions } from './protection/gate.ts';
import { LoadShedder } from './protection/load-shedder.ts';
import { RateLimits } from './protection/rate-limits.ts';
import { times } from './protection/times.ts';
import type { ClientOf } from './protection/trusted-proxies.ts';
import type { Settings } from './settings/table.ts';
import { ChangeStreams } from './watch/change-streams.ts';

/** Far more than wait while all goes well, and few enough to be held in memory. */
const maxWaiting = 2_000;
/** Most clients wait longer than this, so that an answer that came in would not be in vain. */
const maxLateMs = 2_000;

/** So long those who are refused when the time is up have to hear of it. */
const lastWordMs = 300;

/** Node.js takes one connection in each turn of its loop; as many as the kernel allows shall wait for that in a storm. */
const backlog = 4096;

export interface ServerOptions extends Omit<GateOptions, 'isTls'> {
  /** Undefined serves plain HTTP. */
  readonly keyPair: FollowedKeyPair | undefined;
  readonly store: Store;
  readonly engine: Engine;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly hasMetricsPort: boolean;
  readonly strictQuery: boolean;
  readonly maxUnpaged: number;
  readonly maxBodyBytes: number;
  readonly clientOf: ClientOf;
  readonly limits: Settings['limits'];
  readonly isProxy: (address: string) => boolean;
  /** Where the built console is. */
  readonly consoleDirectory: string;
  readonly authenticator: Authenticator;
  /** Undefined where authentication is off. */
  readonly knownTokens: KnownTokens | undefined;
  /** Undefined where browsers cannot sign in with an issuer. */
  readonly signIn: OidcSignIn | undefined;
  readonly audit: Audit;
}

export interface RosterServer {
  /** Every operation that is answered, as `METHOD /path/{parameter}`. */
  readonly routes: readonly string[];
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Takes no new work, waits for the work under way at most `graceMs`, then refuses or cuts off what is left. */
  close(graceMs: number): Promise<void>;
}

export async function createServer(options: ServerOptions): Promise<RosterServer> {
  let isDraining = false;
  const answerError = createAnswerError(options);
  const { limits, logger } = options;
  const shedder = new LoadShedder({ maxLagMs: limits.lagMs, maxWaiting, maxLateMs, logger });
  const rate = { perSecond: limits.requestsPerSecond, burst: limits.burst };
  const rates = new RateLimits(rate, options.clientOf);
  const exchanges = new OpenExchanges(options.authenticator, answerError);
  const app = createApp(options, { answerError, shedder, rates, exchanges, isDraining: () => isDraining });
  limitConnections(app.server, { ...options, max: limits.connections });
  app.decorate('authenticator', options.authenticator);
  app.decorate('exchanges', exchanges);
  app.decorate('audit', options.audit);
  app.decorate('rates', rates);
  const routes = collectRoutes(app);
  const { store, engine, metrics } = options;
  const streams = new ChangeStreams(store, engine, () => metrics.droppedWatchers.inc());
  metrics.gauge('roster_watchers', 'Open streams of changes.', () => streams.count);
  registerRoutes(app, {
    ...options,
    streams,
    isDraining: () => isDraining,
    onNotFound: (request, response) => answerError(notFound(), request, response),
  });
  await app.ready();

  return {
    routes,
    async listen(host, port) {
      await app.listen({ host, port, backlog });
      return app.server.address() as AddressInfo;
    },
    async close(graceMs) {
      isDraining = true;
      streams.close();
      const refuse = setTimeout(() => exchanges.refuseUnfinished(), graceMs);
      const cutOff = setTimeout(() => app.server.closeAllConnections(), graceMs + lastWordMs);
      app.server.closeIdleConnections();
      await app.close();
      clearTimeout(refuse);
      clearTimeout(cutOff);
      shedder.close();
      exchanges.close();
    },
  };
}

interface Parts {
  readonly answerError: AnswerError;
  readonly shedder: LoadShedder;
  readonly rates: RateLimits;
  readonly exchanges: OpenExchanges;
  readonly isDraining: () => boolean;
}

function createApp(
  options: ServerOptions,
  { answerError, shedder, rates, exchanges, isDraining }: Parts,
): FastifyInstance {
  const { keyPair } = options;
  const gate = new Gate({ ...options, isTls: keyPair !== undefined });
  const lists = new ListHandler(options.engine, {
    ...options,
    rates,
    exchanges,
    gate,
    shedder,
    isDraining,
    keepAliveMs: times.keepAliveMs,
    onError: (error, request, response) => {
      if (!response.headersSent) gate.prepare(request, response);
      answerError(error, request, response);
    },
  });
  const app = fastify({
    serverFactory: (handleByFastify) =>
      createHttpServer(handleByFastify, {
        lists,
        answerError,
        gate,
        requests: options.metrics.requests,
        keyPair,
        shedder,
        times,
      }),
    // Fastify would otherwise add a handler of its own that closes the connection at once.
    clientErrorHandler: (error, socket) => answerClientError(error as Error, socket),
    routerOptions: { maxParamLength: maxUrlLength },
    bodyLimit: options.maxBodyBytes,
    logger: false,
    // No route has a schema of Fastify's; to load what compiles them took 34 ms of a start.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    forceCloseConnections: false,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      answerError(error, request.raw, reply.raw);
      reply.hijack();
    },
  });
  app.decorate('gate', gate);
  leaveBodiesUnread(app);
  if (options.cors.origins.length > 0) app.addHook('onSend', keepVaryOfOrigin);
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    answerError(error, request.raw, reply.raw);
  });
  const console = new ConsoleFiles(options.consoleDirectory);
  app.setNotFoundHandler(async (asked, reply) => {
    const { raw: request } = asked;
    reply.hijack();
    try {
      countRequest(asked, reply);
      const isAnswered = await console.answer(request, reply.raw);
      if (!isAnswered) answerUnrouted(request, reply.raw, answerError);
    } catch (error) {
      answerError(error, request, reply.raw);
    }
  });
  return app;
}

/** What a handler says in `Vary` comes in place of what was set before. */
async function keepVaryOfOrigin(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const vary = reply.getHeader('Vary');
  if (vary !== undefined) reply.header('Vary', `${vary}, Origin`);
}

/** Fills up as routes are registered. */
function collectRoutes(app: FastifyInstance): string[] {
  const routes = [formatRoute(operations.listResources)];
  app.addHook('onRoute', ({ method, url }) => {
    if (method !== 'HEAD' && !url.startsWith(docsPath))
      routes.push(formatRoute({ method: String(method), path: url }));
  });
  return routes;
}

function formatRoute({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replace(/:([a-z_]+)/g, '{$1}')}`;
}

/** Handlers that want a body read it from the raw request, in their own way and at their own pace. */
function leaveBodiesUnread(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

function refuseSchemas(): never {
  throw new Error('routes are described by the contract, not by schemas of their own');
}
