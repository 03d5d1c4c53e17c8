import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { markList, type RequestMetrics } from '../metrics/request-metrics.ts';
import { BodyPaces } from '../protection/body-paces.ts';
import type { FollowedKeyPair } from '../protection/followed-key-pair.ts';
import type { Gate } from '../protection/gate.ts';
import { endIdleConnections } from '../protection/idle-connections.ts';
import { type LoadShedder, overloaded } from '../protection/load-shedder.ts';
import { Pipelines } from '../protection/pipelines.ts';
import type { Times } from '../protection/times.ts';
import type { AnswerError } from './answer-error.ts';
import { answerConnect, answerTooSlow, checkHead, maxHeadBytes } from './client-error.ts';
import { connectionEvent } from './connection-event.ts';
import type { ListHandler } from './list-handler.ts';
import { nodeHttp } from './node-http.ts';
import { originForm } from './origin-form.ts';
import { isNeverShed } from './probes.ts';
import { problemAnswer, sendProblem } from './problem.ts';

export interface HttpServerOptions {
  readonly lists: ListHandler;
  readonly answerError: AnswerError;
  readonly requests: RequestMetrics;
  readonly gate: Gate;
  /** Undefined serves plain HTTP. */
  readonly keyPair: FollowedKeyPair | undefined;
  readonly shedder: LoadShedder;
  readonly times: Times;
}

const handshakeMs = 10_000;
const headCheckMs = 5_000;

/** The server that takes the requests: it answers lists by itself and leaves everything else to `handleOther`. */
export function createHttpServer(handleOther: RequestListener, options: HttpServerOptions): Server {
  const { lists, answerError, gate, shedder, times, requests } = options;
  const bodies = new BodyPaces(times.body, answerTooSlow);
  const keepShapes = createShapeKeeper();
  /** One listener for all, which finds its response in `this`. */
  function end(this: ServerResponse): void {
    requests.end(this);
    shedder.leave(this);
  }
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const nowMs = performance.now();
    keepShapes(request, response);
    tellKeepAlive(response, times.keepAliveMs);
    requests.begin(response, nowMs);
    response.on('close', end);
    bodies.watch(request);
    try {
      checkHead(request);
    } catch (error) {
      return answerError(error, request, response, { Connection: 'close' });
    }
    try {
      request.url = originForm(request.url!);
      gate.check(request);
    } catch (error) {
      return answerError(error, request, response);
    }
    if (shedder.refuses(request) && !isNeverShed(request.url)) {
      requests.turnAway('overload');
      if (!gate.prepare(request, response)) sendProblem(response, problemAnswer(overloaded()));
      return;
    }
    if (lists.handle(request, response, nowMs)) markList(response);
    else {
      if (!gate.prepare(request, response)) handleOther(request as never, response as never);
      if (!response.writableEnded && !isStream(request.url)) shedder.wait(response, nowMs);
    }
  };
  // Those have waited for their turn already, and their client may have said since that it sends no more.
  const serveNow = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response);
    lists.finishTurn();
  };
  const { handle } = new Pipelines(serve, serveNow);
  const server = createListener(
    {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: times.headMs,
      connectionsCheckingInterval: Math.min(headCheckMs, times.headMs),
      // A body may take as long as it needs while it makes progress; `bodies` looks after that.
      requestTimeout: 0,
      // Looked after by `endIdleConnections`.
      keepAliveTimeout: 0,
      requireHostHeader: false,
      // Measured at 6 % of a list request.
      optimizeEmptyRequests: true,
    },
    handle,
    options.keyPair,
  );
  // Node.js ends the connection when a client says that it sends no more; what it has asked for is answered first.
  server.on(connectionEvent(server), (socket: Socket) => socket.prependListener('end', lists.finishTurn));
  endIdleConnections(server, times);
  server.on('connect', answerConnect);
  // Node.js answers expectations other than 100-continue with an empty 417; they may be ignored.
  server.on('checkExpectation', handle);
  return server;
}

function createListener(
  options: ServerOptions,
  handle: RequestListener,
  keyPair: FollowedKeyPair | undefined,
): Server {
  if (keyPair === undefined) return nodeHttp.createServer(options, handle);
  const server = https.createServer(
    { ...options, ...keyPair.options, handshakeTimeout: handshakeMs },
    handle,
  );
  keyPair.serve(server);
  return server;
}

/**
 * Keeps the first request and its response alive. Until V8 has seen seven of a kind it watches how large they become.
 * Where a garbage collection has forgotten the first six by then, it takes them for empty, and every request that
 * comes later takes half as long again.
 */
function createShapeKeeper(): RequestListener {
  const kept: object[] = [];
  return (request, response) => {
    if (kept.length === 0) kept.push(request, response);
  };
}

/** Has Node.js tell clients how long a connection may rest, as it would if it looked after that itself. */
function tellKeepAlive(response: ServerResponse & { _keepAliveTimeout?: number }, keepAliveMs: number): void {
  response._keepAliveTimeout = keepAliveMs;
}

/** Streams stay open for hours, and wait for nothing. */
function isStream(url: string): boolean {
  return url.includes('/changes/stream');
}
