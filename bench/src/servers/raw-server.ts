import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CapturedResponse, type CaptureRequest, captureResponses } from './capture-responses.ts';

/** What the harness sends over the process channel; each message is answered with one. */
export type RawServerMessage = { capture: CaptureRequest } | { select: string; start: number };

/**
 * Child process: plain `node:http` that answers every request with captured bytes. It ignores the request; the
 * harness selects the set of responses before each slice.
 */
const sets = new Map<string, CapturedResponse[]>();
let responses: CapturedResponse[] = [];
let position = 0;
/** As Roster does: a process is a third slower for good when V8 has forgotten the first six of these by the seventh. */
const kept: object[] = [];

const server = http.createServer((request, reply) => {
  if (kept.length === 0) kept.push(request, reply);
  const response = responses[position]!;
  if (++position === responses.length) position = 0;
  if (!response.sendDate) reply.sendDate = false;
  reply.writeHead(response.status, response.headers);
  reply.end(response.body);
});

async function answer(message: RawServerMessage): Promise<object> {
  if ('capture' in message) {
    const captured = await captureResponses(message.capture);
    sets.set(message.capture.set, captured);
    if (captured[0]?.keepAliveMs) server.keepAliveTimeout = captured[0].keepAliveMs;
    return { captured: captured.length };
  }
  const set = sets.get(message.select);
  if (set === undefined) throw new Error(`no responses were captured for ${message.select}`);
  responses = set;
  position = message.start % set.length;
  return { selected: message.select };
}

process.once('disconnect', () => process.exit());
process.on('message', (message: RawServerMessage) => {
  answer(message).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});

server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
