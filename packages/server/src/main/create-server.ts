import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { RosterError } from '@roster/contract';
import type { ClientOf } from '../http/trusted-proxies.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createHttpServer } from '../node/http-server.ts';
import { hasPrivateFields, RawResponseWriter } from '../node/raw-response-writer.ts';
import { timeouts } from '../node/timeouts.ts';
import { OpenStreams } from '../operations/changes/open-streams.ts';
import type { OperationOptions } from '../operations/operation-options.ts';
import { createHandlers } from '../operations/operations.ts';
import { StaticFiles } from '../operations/server/static-files.ts';
import type { AnswerError } from '../pipeline/answer-error.ts';
import { BrowserProtection, type BrowserProtectionOptions } from '../pipeline/browser-protection.ts';
import { maxHeadBytes } from '../pipeline/check-head.ts';
import { limitConnections } from '../pipeline/connection-limits.ts';
import { endRevokedRequests, refuseUnfinished } from '../pipeline/end-revoked-requests.ts';
import { OpenExchanges } from '../pipeline/open-exchanges.ts';
import { answerConnect, answerParserError, answerTooSlow } from '../pipeline/parser-errors.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { RateLimits } from '../pipeline/rate-limits.ts';
import { HeavyReads } from '../pipeline/shedding/heavy-reads.ts';
import { LoadShedder } from '../pipeline/shedding/load-shedder.ts';
import type { Settings } from '../settings/all-settings.ts';
import type { ReloadingCertificate } from '../tls/reloading-certificate.ts';

/** Far more than wait in normal operation, and few enough for memory. */
const maxWaiting = 2_000;
/** Most clients wait longer than this. */
const maxLateMs = 2_000;
/** More than 100 pages of the largest size, with typical names. */
const maxUnreadBytes = 64 * 1024 * 1024;

/** Time a refused client gets to read the refusal. */
const lastWordMs = 300;

/** Node.js accepts one connection per turn of its loop; in a storm, the kernel queues the others. */
const backlog = 4096;

const noPrivateFields = 'this version of Node.js is not known: lists are written in a slower way';

type CreatedParts = 'browserProtection' | 'heavyReads' | 'writer' | 'isDraining' | 'lost';

export interface ServerOptions
  extends Omit<OperationOptions, CreatedParts>,
    Omit<BrowserProtectionOptions, 'isTls'> {
  /** Undefined serves plain HTTP. */
  readonly keyPair: ReloadingCertificate | undefined;
  readonly clientOf: ClientOf;
  readonly answerError: AnswerError;
  readonly isProxy: (address: string) => boolean;
  readonly limits: Settings['limits'];
  readonly consoleDirectory: string;
}

/** Puts the pipeline, the operations and the HTTP server together. */
export function createServer(options: ServerOptions) {
  const { limits, logger, metrics, authenticator, keyPair, store, engine } = options;
  let draining = false;
  let lost: RosterError | undefined;
  const isDraining = () => draining;
  const open = new OpenExchanges();
  const shedder = new LoadShedder(open, {
    maxLagMs: limits.lagMs,
    maxWaiting,
    maxLateMs,
    maxUnreadBytes,
    logger,
    onShed: () => metrics.requests.turnAway('overload'),
  });
  const heavyReads = new HeavyReads();
  const browserProtection = new BrowserProtection({ ...options, isTls: keyPair !== undefined });
  const streams = new OpenStreams(store, engine, () => metrics.droppedWatchers.inc());
  const { keepAliveMs } = timeouts;
  const usePrivateFields = hasPrivateFields();
  if (!usePrivateFields) logger.warn(noPrivateFields);
  const writer = new RawResponseWriter({ keepAliveMs, isDraining, usePrivateFields });
  const files = new StaticFiles(options.consoleDirectory);
  const pipeline = new Pipeline({
    ...options,
    open,
    browserProtection,
    shedder,
    rates: new RateLimits({ perSecond: limits.requestsPerSecond, burst: limits.burst }),
    handlers: createHandlers(
      { ...options, browserProtection, heavyReads, writer, isDraining, lost: () => lost },
      streams,
    ),
    handleOther: (exchange) => files.answer(exchange),
    metrics: metrics.requests,
    onTurnEnd: () => writer.finishTurn(),
    keepAliveMs,
    isDraining,
  });
  const server = createHttpServer({
    onRequest: pipeline.handle,
    finishTurn: pipeline.finishTurn,
    onParserError: answerParserError,
    onConnect: answerConnect,
    onSlowBody: answerTooSlow,
    maxHeadBytes,
    keyPair,
    timeouts,
  });
  limitConnections(server, { ...options, max: limits.connections });
  const stopReauthorising = endRevokedRequests(open, authenticator, pipeline.fail);
  store.onLost((why) => {
    lost = why;
    logger.error({ err: why }, 'the database was replaced or deleted; nothing is answered until a restart');
    // They would report that nothing changes.
    streams.close();
  });
  observe(metrics, { open, streams, heavyReads });

  return {
    async listen(host: string, port: number): Promise<AddressInfo> {
      await once(server.listen({ host, port, backlog }), 'listening');
      return server.address() as AddressInfo;
    },
    /** Accepts no new work, waits at most `graceMs` for open requests, then refuses or cuts off the rest. */
    async close(graceMs: number): Promise<void> {
      draining = true;
      streams.close();
      const refuse = setTimeout(() => refuseUnfinished(open, pipeline.fail), graceMs);
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs + lastWordMs);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(refuse);
      clearTimeout(cutOff);
      stopReauthorising();
      shedder.close();
    },
  };
}

interface ObservedParts {
  readonly open: OpenExchanges;
  readonly streams: OpenStreams;
  readonly heavyReads: HeavyReads;
}

function observe(metrics: Metrics, { open, streams, heavyReads }: ObservedParts): void {
  metrics.gauge(
    'roster_http_requests_in_progress',
    'Requests in progress, including change streams.',
    () => open.count,
  );
  metrics.gauge('roster_watchers', 'Open streams of changes.', () => streams.count);
  metrics.gauge('roster_heavy_reads', 'Heavy reads that are under way.', () => heavyReads.openCount);
  metrics.gauge(
    'roster_heavy_reads_waiting',
    'Questions of heavy reads to the store that wait for their turn.',
    () => heavyReads.waitingCount,
  );
  metrics.counter(
    'roster_heavy_reads_refused_total',
    'Heavy reads that were refused because their sender had too many under way.',
    () => heavyReads.refusedCount,
  );
}
