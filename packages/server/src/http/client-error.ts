import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, finished } from 'node:stream';
import { RosterError } from '@roster/contract';
import { problemAnswer } from './problem.ts';

/** What the HTTP parser takes at most of one request before its body; beyond it the connection ends. */
export const maxHeadBytes = 1 << 20;
export const maxUrlLength = 64 * 1024;
const maxHeaderBytes = 32 * 1024;
const lingerMs = 2_000;

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Answers a request that never became one, because the HTTP parser refused it. Its method is not known. */
export function answerClientError(error: ParserError, socket: Duplex): void {
  if (isOfHttp(error)) endWithProblem(socket, problemOf(error));
  else socket.destroy();
}

/** Answers CONNECT, which comes without a response to write to. Node.js no longer writes earlier answers then. */
export function answerConnect(_request: IncomingMessage, socket: Duplex): void {
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

/** Node.js has no public way to find it; its own handling of parser errors looks here as well. */
export function responseUnderWay(socket: Duplex): ServerResponse | undefined {
  return (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

function problemText(error: RosterError, isHead: boolean): string {
  const { status, headers, body, problem } = problemAnswer(error);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status} ${problem.title}\r\n${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`;
}

/** Nothing can be told over a connection that broke, or that never agreed on how to encrypt. */
function isOfHttp({ code }: ParserError): boolean {
  return code?.startsWith('HPE_') === true || code?.startsWith('ERR_HTTP_') === true;
}

function problemOf(error: ParserError): RosterError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return isWithinUrl(error.rawPacket) ? uriTooLong() : headersTooLarge();
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow();
  return new RosterError('malformed_request', 'this is not a valid HTTP/1.1 request');
}

/** The parser does not say where it overflowed. A packet from inside a URL has neither a line end nor a blank. */
function isWithinUrl(packet: Buffer | undefined): boolean {
  return packet !== undefined && !packet.includes('\r\n') && !packet.includes(': ');
}

function tooSlow(): RosterError {
  return new RosterError('request_timeout', 'the request did not arrive in time');
}

function uriTooLong(): RosterError {
  return new RosterError(
    'uri_too_long',
    `a URL may have at most ${maxUrlLength} characters; ask for fewer ids at once`,
  );
}

function headersTooLarge(): RosterError {
  return new RosterError(
    'headers_too_large',
    `the headers may have at most ${maxHeaderBytes} bytes together`,
  );
}

/**
 * Throws when a request's URL or headers are larger than they may be, when it names several hosts, or when HTTP/1.1
 * comes without one.
 */
export function checkHead({ url, rawHeaders, httpVersionMinor }: IncomingMessage): void {
  if (url!.length > maxUrlLength) throw uriTooLong();
  let bytes = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    bytes += name.length + rawHeaders[at + 1]!.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (bytes > maxHeaderBytes) throw headersTooLarge();
  if (hosts === 0 && httpVersionMinor === 1) throw wrongHost('a request must have a Host header');
  if (hosts > 1) throw wrongHost(`a request must have one Host header, this one has ${hosts}`);
}

function wrongHost(message: string): RosterError {
  return new RosterError('malformed_request', message, { parameter: 'Host' });
}
