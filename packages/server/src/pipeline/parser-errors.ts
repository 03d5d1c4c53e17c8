import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, finished } from 'node:stream';
import { RosterError } from '@roster/contract';
import { joinHeaders } from '../http/headers.ts';
import { problemAnswer } from '../http/problem.ts';
import { responseUnderWay } from '../node/response-under-way.ts';
import { headersTooLarge, uriTooLong } from './check-head.ts';

const lingerMs = 2_000;
/** During another request it is no error: the head may be late because nothing is being read. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Answers what the HTTP parser refused. `finish` makes the connection accept no further request. */
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

/** Answers CONNECT, which has no response object. After it, Node.js no longer writes earlier answers. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
  // Node.js has removed its own listeners, and an unhandled error would end the process.
  socket.on('error', () => socket.destroy());
  const error = new RosterError('malformed_request', 'CONNECT is for proxies; this server is not one');
  if (responseUnderWay(socket)) socket.destroy();
  else endWithProblem(socket, error);
}

/** Ends the connection of a request whose body does not arrive. */
export function answerTooSlow({ socket, method }: IncomingMessage): void {
  endWithProblem(socket, tooSlow(), method === 'HEAD');
}

/** Ends a connection with a problem, after the answers to earlier requests. */
function endWithProblem(socket: Duplex, error: RosterError, isHead = false): void {
  const earlier = responseUnderWay(socket);
  if (socket.writableEnded || socket.destroyed) return;
  if (earlier?.req.complete) finished(earlier, () => setImmediate(endWithProblem, socket, error, isHead));
  else if (earlier?.headersSent) socket.destroy();
  else {
    socket.end(problemText(error, isHead));
    // Closing while bytes arrive would reset the connection, and the answer could be lost.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
}

function problemText(error: RosterError, isHead: boolean): string {
  const { status, headers, body, problem } = problemAnswer(error);
  const lines = joinHeaders({ ...headers, Connection: 'close' });
  return `HTTP/1.1 ${status} ${problem.title}\r\n${lines}\r\n${isHead ? '' : body}`;
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

/** The parser does not say where it overflowed. A packet from inside a URL has no line end and no colon with a space. */
function isWithinUrl(packet: Buffer | undefined): boolean {
  return packet !== undefined && !packet.includes('\r\n') && !packet.includes(': ');
}

function tooSlow(): RosterError {
  return new RosterError('request_timeout', 'the request did not arrive in time');
}
