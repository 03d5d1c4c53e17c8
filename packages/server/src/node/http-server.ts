import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { nodeHttp } from '../http/node-http.ts';
import { createFirstRequestKeeper } from './first-request.ts';
import { gatherBody, hasBody } from './gather-body.ts';
import { connectionEvent, endIdleConnections } from './idle-connections.ts';
import { PipelinedRequests } from './pipelined-requests.ts';
import { SlowBodies } from './slow-bodies.ts';
import { readThroughStream } from './stop-parsing.ts';
import type { Timeouts } from './timeouts.ts';

export interface HttpServerOptions {
  /** Gets the requests of each connection one after the other. */
  readonly onRequest: RequestListener;
  /** Answers now what would be answered at the end of this turn of the event loop. */
  readonly finishTurn: () => void;
  /** Gets what is not HTTP. `finish` takes no further request from the connection. */
  readonly onParserError: (error: Error, socket: Socket, finish: (socket: Socket) => void) => void;
  readonly onConnect: (request: IncomingMessage, socket: Duplex) => void;
  readonly onSlowBody: (request: IncomingMessage) => void;
  readonly maxHeadBytes: number;
  /** Undefined serves plain HTTP. */
  readonly keyPair: KeyPair | undefined;
  readonly timeouts: Timeouts;
}

/** A certificate that may be replaced while the server runs. */
interface KeyPair {
  readonly options: https.ServerOptions;
  serve(server: https.Server): void;
}

const handshakeMs = 10_000;
const headCheckMs = 5_000;

/** An HTTP server that holds back what Node.js would take on without bounds. */
export function createHttpServer(options: HttpServerOptions): Server {
  const { onRequest, finishTurn, timeouts, maxHeadBytes } = options;
  const bodies = new SlowBodies(timeouts, options.onSlowBody);
  const keepFirst = createFirstRequestKeeper();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    keepFirst(request, response);
    bodies.watch(request, response);
    onRequest(request, response);
  };
  // These have waited already, and their client may have closed its side since.
  const serveQueued = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response);
    finishTurn();
  };
  const requests = new PipelinedRequests(serve, serveQueued);
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request)) gatherBody(request);
    requests.handle(request, response);
  };
  const server = createListener(
    {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: timeouts.headMs,
      connectionsCheckingInterval: Math.min(headCheckMs, timeouts.headMs),
      // A body may take as long as it needs while it makes progress: see `SlowBodies`.
      requestTimeout: 0,
      // See `endIdleConnections`.
      keepAliveTimeout: 0,
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => {
        // Node.js drops what follows in the same packet, and reads on out of step.
        requests.makeLast(request);
        return false;
      },
      // Measured at 6 % of a list request.
      optimizeEmptyRequests: true,
    },
    handle,
    options.keyPair,
  );
  // The head check counts their bytes; Node.js would silently drop those beyond a number.
  server.maxHeadersCount = 0;
  server.on(connectionEvent(server), (socket: Socket) => {
    // Node.js ends the connection when the client closes its side; what it has asked for is answered first.
    socket.prependListener('end', finishTurn);
    if (options.keyPair !== undefined) readThroughStream(socket);
  });
  server.on('clientError', (error: Error, socket: Socket) =>
    options.onParserError(error, socket, (broken) => requests.finish(broken)),
  );
  endIdleConnections(server, timeouts);
  server.on('connect', options.onConnect);
  // Node.js answers expectations other than 100-continue with an empty 417; they may be ignored.
  server.on('checkExpectation', handle);
  return server;
}

function createListener(options: ServerOptions, handle: RequestListener, keyPair?: KeyPair): Server {
  if (keyPair === undefined) return nodeHttp.createServer(options, handle);
  const server = https.createServer(
    { ...options, ...keyPair.options, handshakeTimeout: handshakeMs },
    handle,
  );
  keyPair.serve(server);
  return server;
}
