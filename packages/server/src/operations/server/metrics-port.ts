import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { operations } from '@roster/contract';
import type { Registry } from 'prom-client';
import { type Answer, notFound, otherMethod } from '../../http/answer.ts';
import { Exchange, type ExchangeContext } from '../../http/exchange.ts';
import { isLoopback } from '../../http/is-loopback.ts';
import { nodeHttp } from '../../http/node-http.ts';
import type { ClientOf } from '../../http/trusted-proxies.ts';
import { renderMetrics } from '../../metrics/scraped-gauge.ts';
import { PipelinedRequests } from '../../node/pipelined-requests.ts';
import type { AnswerError } from '../../pipeline/answer-error.ts';
import { BrowserProtection } from '../../pipeline/browser-protection.ts';
import { checkHead } from '../../pipeline/check-head.ts';
import { sendAnswer } from '../../pipeline/send-answer.ts';
import type { Settings } from '../../settings/all-settings.ts';

interface MetricsPortContext {
  readonly registry: Registry;
  readonly clientOf: ClientOf;
  readonly answerError: AnswerError;
}

/** Far more than collect metrics. */
const maxConnections = 100;

/** Answers only `/metrics`, on a port of its own. Undefined if the settings have none. */
export async function openMetricsPort(
  { metrics: { host, port }, allowedHosts }: Settings,
  { registry, clientOf, answerError }: MetricsPortContext,
) {
  if (port === undefined) return undefined;
  // It takes no token, so web pages must be kept from a port of this machine.
  const auth = isLoopback(host) ? 'off' : 'on';
  const cors = { origins: [] };
  const browserProtection = new BrowserProtection({ auth, allowedHosts, cors, isTls: false });
  const context: ExchangeContext = {
    clientOf,
    prepare: (exchange) => browserProtection.setHeaders(exchange),
    requireValid() {},
  };
  const answer = async (exchange: Exchange): Promise<Answer | undefined> => {
    checkHead(exchange.request);
    browserProtection.checkHost(exchange);
    const { path } = operations.metrics;
    if (exchange.path !== path) throw notFound(`this port has ${path} alone`);
    if (!exchange.isRead) return otherMethod(['GET', 'HEAD', 'OPTIONS'])(exchange);
    return { headers: { 'Content-Type': registry.contentType }, body: await renderMetrics(registry) };
  };
  const { handle } = new PipelinedRequests(async (request, response) => {
    const exchange = new Exchange(request, response, context);
    exchange.prepare();
    try {
      await sendAnswer(exchange, (await answer(exchange))!);
    } catch (error) {
      answerError(error, exchange);
    }
  });
  const server = nodeHttp.createServer(handle);
  server.maxConnections = maxConnections;
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
