import { RosterError, type StationAddress } from '@roster/contract';
import { type Engine, type Store, TimeSlicer } from '@roster/engine';
import type { Logger } from 'pino';
import { createAccess } from '../access/create-access.ts';
import { createAudit } from '../audit/create-audit.ts';
import { isLoopback } from '../http/is-loopback.ts';
import { type ClientOf, TrustedProxies } from '../http/trusted-proxies.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type MetricsPort, openMetricsPort } from '../operations/server/metrics-port.ts';
import { type AnswerError, createAnswerError } from '../pipeline/answer-error.ts';
import { BrowserProtection } from '../pipeline/browser-protection.ts';
import type { Settings } from '../settings/all-settings.ts';
import { ReloadingKeyPair } from '../tls/reloading-key-pair.ts';
import { createServer } from './create-server.ts';
import { explainListenError } from './explain-listen-error.ts';
import { startMaintenance } from './maintenance.ts';
import { sampleAddress } from './sample/load-sample.ts';

const mebibyte = 2 ** 20;
const hourMs = 3_600_000;

/** Enough for some millions of resources. What is not saved by then is read from the store after the next start. */
const maxSaveMs = 5_000;

const clearText =
  'tokens come in clear text, which others on the way can read: set tls.cert and tls.key, or name the proxy that speaks TLS with trustProxy';

const lostAuditLines = 'Lines that could not be written to the audit file.';

export interface RunningRoster {
  readonly url: string;
  /** Where the metrics are, if they have a port of their own. */
  readonly metricsUrl: string | undefined;
  readonly hasSample: boolean;
  /** The text of the first token, if it was made by this start. */
  readonly firstToken: string | undefined;
  /** Ends within about `graceMs`, whatever clients do. */
  stop(graceMs: number): Promise<void>;
}

export interface ServeOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Closed when the server is stopped. */
  readonly store: Store;
  readonly engine: Engine;
  /** Where the built console is. */
  readonly consoleDirectory: string;
  /** How often the files of the certificate are looked at. */
  readonly lookAtCertificateMs: number;
}

/** Starts listening and all background work. */
export async function serve(options: ServeOptions): Promise<RunningRoster> {
  const { settings, logger, metrics, store, engine, consoleDirectory } = options;
  const keyPair = followKeyPair(options);
  try {
    const { clientOf, isProxy } = new TrustedProxies(settings.trustProxy);
    const maxBodyBytes = settings.maxBodyMb * mebibyte;
    const access = await createAccess({ settings, tokens: store.tokens, logger });
    const { audit, lostCount, close: closeAudit } = createAudit({ settings: settings.audit, logger });
    metrics.counter('roster_audit_lines_lost_total', lostAuditLines, lostCount);
    const historyMs = settings.historyHours * hourMs;
    const hasMetricsPort = settings.metrics.port !== undefined;
    const parts = { store, engine, logger, metrics, audit };
    const server = createServer({
      ...settings,
      ...access,
      ...parts,
      maxBodyBytes,
      clientOf,
      keyPair,
      hasMetricsPort,
      consoleDirectory,
      isProxy,
    });
    const answerError = createAnswerError({ logger, audit, metrics: metrics.requests });
    const metricsPort = await metricsPortOf(settings, metrics, { answerError, clientOf });
    const { port } = await server.listen(settings.host, settings.port).catch((error) => {
      metricsPort?.close();
      throw explainListenError(error, settings, 'ROSTER');
    });
    warnOfClearText(settings, logger);
    const saveEveryMs = settings.snapshotSaveSeconds * 1000;
    const stopMaintenance = startMaintenance({ ...parts, historyMs, saveEveryMs });
    return {
      firstToken: await access.ensureFirstToken(),
      hasSample: await hasStation(store, sampleAddress),
      url: urlOf(keyPair === undefined ? 'http' : 'https', settings.host, port),
      metricsUrl: metricsPort && `${urlOf('http', settings.metrics.host, metricsPort.port)}/metrics`,
      async stop(graceMs) {
        stopMaintenance();
        keyPair?.close();
        await Promise.all([server.close(graceMs), saveSnapshots(engine, logger, graceMs)]);
        metricsPort?.close();
        await access.close();
        await store.close();
        closeAudit();
      },
    };
  } catch (error) {
    keyPair?.close();
    throw error;
  }
}

async function saveSnapshots(engine: Engine, logger: Logger, graceMs: number): Promise<void> {
  const signal = AbortSignal.timeout(Math.min(graceMs, maxSaveMs));
  try {
    await engine.save({ slicer: new TimeSlicer(), signal });
    if (signal.aborted) logger.info('not all snapshots were saved in time');
  } catch (error) {
    logger.warn({ err: error }, 'not all snapshots were saved');
  }
}

function urlOf(scheme: string, host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function metricsPortOf(
  { metrics: { host, port }, allowedHosts }: Settings,
  { registry }: Metrics,
  { answerError, clientOf }: { readonly answerError: AnswerError; readonly clientOf: ClientOf },
): Promise<MetricsPort | undefined> {
  if (port === undefined) return undefined;
  // It takes no token, so web pages must be kept away from a port of this machine.
  const auth = isLoopback(host) ? 'off' : 'on';
  const browserProtection = new BrowserProtection({
    auth,
    allowedHosts,
    cors: { origins: [] },
    isTls: false,
  });
  return openMetricsPort({ host, port, registry, browserProtection, clientOf, answerError }).catch(
    (error) => {
      throw explainListenError(error, { host, port }, 'ROSTER_METRICS');
    },
  );
}

function warnOfClearText({ host, tls, trustProxy }: Settings, logger: Logger): void {
  if (isLoopback(host) || tls.cert !== undefined || trustProxy !== false) return;
  logger.warn({ host }, clearText);
}

function followKeyPair({
  settings,
  logger,
  lookAtCertificateMs,
}: ServeOptions): ReloadingKeyPair | undefined {
  const { cert, key } = settings.tls;
  return cert && key ? new ReloadingKeyPair({ cert, key }, logger, lookAtCertificateMs) : undefined;
}

/** A database of which something is damaged may not know, and others need the server all the same. */
async function hasStation(store: Store, address: StationAddress): Promise<boolean> {
  try {
    return (await store.head(address)) !== undefined;
  } catch (error) {
    if (error instanceof RosterError && error.code === 'data_damaged') return false;
    throw error;
  }
}
