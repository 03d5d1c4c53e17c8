import { RosterError, type StationAddress } from '@roster/contract';
import { type Engine, type Store, TimeSlicer } from '@roster/engine';
import type { Logger } from 'pino';
import { createAccess } from '../access/create-access.ts';
import { createAudit } from '../audit/audit.ts';
import { isLoopback } from '../http/is-loopback.ts';
import { TrustedProxies } from '../http/trusted-proxies.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { openMetricsPort } from '../operations/server/metrics-port.ts';
import { createAnswerError } from '../pipeline/answer-error.ts';
import type { Settings } from '../settings/all-settings.ts';
import { InvalidSettings } from '../settings/invalid-settings.ts';
import { ReloadingCertificate } from '../tls/reloading-certificate.ts';
import { createServer } from './create-server.ts';
import { createSources } from './create-sources.ts';
import { startMaintenance } from './maintenance.ts';
import { sampleAddress } from './sample/load-sample.ts';

const mebibyte = 2 ** 20;
const hourMs = 3_600_000;

/** Enough for some millions of resources. The rest is read from the store after the next start. */
const maxSaveMs = 5_000;

const clearText =
  'tokens are sent unencrypted, and others on the network can read them: set tls.cert and tls.key, or name the TLS proxy in trustProxy';

const lostAuditLines = 'Lines that could not be written to the audit file.';

export interface RunningRoster {
  readonly url: string;
  /** Set if the metrics have a port of their own. */
  readonly metricsUrl: string | undefined;
  readonly hasSample: boolean;
  /** Set if this start created the first token. */
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
  readonly consoleDirectory: string;
  /** How often the files of the certificate are looked at. */
  readonly lookAtCertificateMs: number;
  /** How long the news of a source waits for what another says of it. */
  readonly sourcePatienceMs: number;
}

/** Starts listening and all background work. */
export async function serve(options: ServeOptions): Promise<RunningRoster> {
  const { settings, logger, metrics, store, engine, consoleDirectory } = options;
  const { cert, key } = settings.tls;
  const { lookAtCertificateMs } = options;
  const keyPair =
    cert && key ? new ReloadingCertificate({ cert, key }, logger, lookAtCertificateMs) : undefined;
  try {
    const { clientOf, isProxy } = new TrustedProxies(settings.trustProxy);
    const access = await createAccess(settings, store.tokens, logger);
    const { audit, lostCount, close: closeAudit } = createAudit(settings.audit, logger);
    metrics.counter('roster_audit_lines_lost_total', lostAuditLines, lostCount);
    const patienceMs = options.sourcePatienceMs;
    const sources = await createSources(settings.sources, { store, logger, metrics, patienceMs });
    const parts = { store, engine, logger, metrics, audit };
    const answerError = createAnswerError(logger, audit, metrics.requests);
    const context = { registry: metrics.registry, clientOf, answerError };
    const server = createServer({
      ...settings,
      ...access,
      ...parts,
      sources,
      answerError,
      maxBodyBytes: settings.maxBodyMb * mebibyte,
      clientOf,
      keyPair,
      hasMetricsPort: settings.metrics.port !== undefined,
      consoleDirectory,
      isProxy,
    });
    const metricsPort = await openMetricsPort(settings, context).catch((error) => {
      const { host, port } = settings.metrics;
      throw explainListenError(error, `${host}:${port}`, 'ROSTER_METRICS');
    });
    const { port } = await server.listen(settings.host, settings.port).catch((error) => {
      metricsPort?.close();
      throw explainListenError(error, `${settings.host}:${settings.port}`, 'ROSTER');
    });
    if (!isLoopback(settings.host) && cert === undefined && settings.trustProxy === false)
      logger.warn({ host: settings.host }, clearText);
    sources?.start();
    const stopMaintenance = startMaintenance({
      ...parts,
      historyMs: settings.historyHours * hourMs,
      saveEveryMs: settings.snapshotSaveSeconds * 1000,
      trendsMs: settings.trendDays * 24 * hourMs,
      sampleEveryMs: settings.trendSampleSeconds * 1000,
    });
    return {
      firstToken: await access.ensureFirstToken(),
      hasSample: await hasStation(store, sampleAddress),
      url: urlOf(keyPair === undefined ? 'http' : 'https', settings.host, port),
      metricsUrl: metricsPort && `${urlOf('http', settings.metrics.host, metricsPort.port)}/metrics`,
      async stop(graceMs) {
        stopMaintenance();
        keyPair?.close();
        await Promise.all([sources?.stop(), server.close(graceMs), saveSnapshots(engine, logger, graceMs)]);
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

/** Says which setting helps; their names begin with `prefix`. */
function explainListenError(error: NodeJS.ErrnoException, place: string, prefix: string): Error {
  const explanations: Record<string, string> = {
    EADDRINUSE: `${place} is in use by another program; set ${prefix}_PORT to a free port`,
    EACCES: `this user may not listen on ${place}; set ${prefix}_PORT to a port above 1023`,
    EADDRNOTAVAIL: `${place} is not an address of this machine; set ${prefix}_HOST to one that is`,
    ENOTFOUND: `${place} is not an address of this machine; set ${prefix}_HOST to one that is`,
  };
  const explanation = explanations[error.code ?? ''];
  return explanation === undefined ? error : new InvalidSettings([explanation]);
}

/** Damaged data may hide it, and must not keep the server from starting. */
async function hasStation(store: Store, address: StationAddress): Promise<boolean> {
  try {
    return (await store.head(address)) !== undefined;
  } catch (error) {
    if (error instanceof RosterError && error.code === 'data_damaged') return false;
    throw error;
  }
}
