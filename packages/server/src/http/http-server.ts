import http, {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import https from 'node:https';
import { markList, type RequestMetrics } from '../metrics/request-metrics.ts';
import type { FollowedKeyPair } from '../protection/followed-key-pair.ts';
import type { Gate } from '../protection/gate.ts';
import type { AnswerError } from './answer-error.ts';
import { answerConnect, checkHead, maxHeadBytes } from './client-error.ts';
import type { ListHandler } from './list-handler.ts';
import { originForm } from './origin-form.ts';

export interface HttpServerOptions {
  readonly lists: ListHandler;
  readonly answerError: AnswerError;
  readonly requests: RequestMetrics;
  readonly gate: Gate;
  /** Undefined serves plain HTTP. */
  readonly keyPair: FollowedKeyPair | undefined;
}

const handshakeMs = 10_000;

/** The server that takes the requests: it answers lists by itself and leaves everything else to `handleOther`. */
export function createHttpServer(handleOther: RequestListener, options: HttpServerOptions): Server {
  const { lists, answerError, gate, requests } = options;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    requests.begin(response);
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
    if (lists.handle(request, response)) markList(response);
    else if (!gate.prepare(request, response)) handleOther(request as never, response as never);
  };
  const server = createListener(
    {
      maxHeaderSize: maxHeadBytes,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
      // Measured at 6 % of a list request.
      optimizeEmptyRequests: true,
    },
    handle,
    options.keyPair,
  );
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
  if (keyPair === undefined) return http.createServer(options, handle);
  const server = https.createServer(
    { ...options, ...keyPair.options, handshakeTimeout: handshakeMs },
    handle,
  );
  keyPair.serve(server);
  return server;
}
