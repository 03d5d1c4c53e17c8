import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, finished } from 'node:stream';
import { RosterError } from '@roster/contract';
import { problemAnswer } from '../http/problem.ts';
import { responseUnderWay } from '../node/response-under-way.ts';
import { headersTooLarge, uriTooLong } from './check-head.ts';

const lingerMs = 2_000;
/** A head that has begun behind a request under way may be late because nothing is being read. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/**
 * Answers a request that never became one, because the HTTP parser refused it. Its method is not known. `finish` is
 * called where no further request must be taken from the connection.
 */
export function answerParserError(
  error: ParserError,
  socket: Socket,
  finish: (socket: Socket) => void,
): void {
  if (!isOfHttp(error)) socket.destroy();
  else if (error.code === timedOut && responseUnderWay(socket)) return;
  else {
    finish(socket);
    endWithProblem(socket, problemOf(error));
  }
}

/** Answers CONNECT, which comes without a response to write to. Node.js no longer writes earlier answers then. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  // Node.js has taken its own listeners away, and an error that nobody listens to would end the process.
  socket.on('error', () => socket.destroy());
  const error = new RosterError('malformed_request', 'CONNECT is for proxies; this is none');
  if (responseUnderWay(socket)) socket.destroy();
  else endWithProblem(socket, error);
}

/** Ends the connection of a request whose body does not arrive. */
export function answerTooSlow({ socket, method }: IncomingMessage): void {
  endWithProblem(socket, tooSlow(), method === 'HEAD');
}

/** Ends a connection with a problem, behind the answers to the requests that came before on it. */
function endWithProblem(socket: Duplex, error: RosterError, isHead = false): void {
  const earlier = responseUnderWay(socket);
  if (socket.writableEnded || socket.destroyed) return;
  if (earlier?.req.complete) finished(earlier, () => setImmediate(endWithProblem, socket, error, isHead));
  else if (earlier?.headersSent) socket.destroy();
  else {
    socket.end(problemText(error, isHead));
    // To close while bytes are still arriving would reset the connection, and the answer might be lost.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
}

function problemText(error: RosterError, isHead: boolean): string {
  const { status, headers, body, problem } = problemAnswer(error);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status} ${problem.title}\r\n${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`;
}

/** A broken connection or a failed TLS handshake cannot carry an answer. */
function isOfHttp({ code }: ParserError): boolean {
  return code?.startsWith('HPE_') === true || code?.startsWith('ERR_HTTP_') === true;
}

function problemOf(error: ParserError): RosterError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return isWithinUrl(error.rawPacket) ? uriTooLong() : headersTooLarge();
  if (error.code === timedOut) return tooSlow();
  return new RosterError('malformed_request', 'this is not a valid HTTP/1.1 request');
}

/** The parser does not say where it overflowed. A packet from inside a URL has neither a line end nor a blank. */
function isWithinUrl(packet: Buffer | undefined): boolean {
  return packet !== undefined && !packet.includes('\r\n') && !packet.includes(': ');
}

function tooSlow(): RosterError {
  return new RosterError('request_timeout', 'the request did not arrive in time');
}
