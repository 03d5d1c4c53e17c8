import type { AddressInfo } from 'node:net';
import { operations } from '@roster/contract';
import type { Registry } from 'prom-client';
import type { AnswerError } from '../http/answer-error.ts';
import { answerUnrouted, notFound } from '../http/answer-unrouted.ts';
import { nodeHttp } from '../http/node-http.ts';
import type { Gate } from '../protection/gate.ts';
import { renderMetrics } from './render-metrics.ts';

export interface MetricsServer {
  readonly port: number;
  close(): void;
}

/** Answers `/metrics` and nothing else, on a port of its own. */
export async function startMetricsServer(
  registry: Registry,
  answerError: AnswerError,
  { host, port, gate }: { readonly host: string; readonly port: number; readonly gate: Gate },
): Promise<MetricsServer> {
  const server = nodeHttp.createServer(async (request, response) => {
    try {
      gate.check(request);
      gate.prepare(request, response);
      const isMetrics = request.url?.split('?')[0] === operations.metrics.path;
      if (!isMetrics) throw notFound(`this port has ${operations.metrics.path} alone`);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return answerUnrouted(request, response, answerError);
      }
      const text = await renderMetrics(registry);
      const headers = { 'Content-Type': registry.contentType, 'Content-Length': Buffer.byteLength(text) };
      response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : text);
    } catch (error) {
      answerError(error, request, response);
    }
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
