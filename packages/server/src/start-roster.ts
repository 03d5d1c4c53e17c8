import { fileURLToPath } from 'node:url';
import { Engine, type Store } from '@roster/engine';
import { createPostgresStore, createSqliteStore } from '@roster/store';
import type { Logger } from 'pino';
import { openAccess } from './access/open-access.ts';
import { openAudit } from './audit/open-audit.ts';
import { createServer } from './create-server.ts';
import { startMaintenance } from './maintenance.ts';
import { TrustedProxies } from './protection/trusted-proxies.ts';
import { loadSample, sampleAddress } from './sample/load-sample.ts';
import type { Settings } from './settings/table.ts';

const snapshotRetentionMs = 60_000;
const mebibyte = 2 ** 20;
const hourMs = 3_600_000;
const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url));

export interface RunningRoster {
  readonly url: string;
  /** Every operation that is answered, as `METHOD /path/{parameter}`. */
  readonly routes: readonly string[];
  readonly hasSample: boolean;
  /** The text of the first token, if it was made by this start. */
  readonly firstToken: string | undefined;
  /** Ends within about `graceMs`, whatever clients do. */
  stop(graceMs: number): Promise<void>;
}

/** Opens the store, loads the sample where it is asked for, and listens. */
export async function startRoster(
  settings: Settings,
  logger: Logger,
  consoleDirectory = builtConsole,
): Promise<RunningRoster> {
  const store = await openStore(settings);
  try {
    if (settings.sample) await loadSample(store);
    const engine = new Engine(store, {
      memoryBudgetBytes: settings.indexMemoryMb * mebibyte,
      snapshotRetentionMs,
    });
    const { clientOf } = new TrustedProxies(settings.trustProxy);
    const maxBodyBytes = settings.maxBodyMb * mebibyte;
    const access = await openAccess({ settings, tokens: store.tokens, logger, clientOf });
    const { audit, close: closeAudit } = openAudit({ file: settings.audit.file, logger, clientOf });
    const server = await createServer({
      ...settings,
      ...access,
      maxBodyBytes,
      consoleDirectory,
      store,
      engine,
      logger,
      audit,
      clientOf,
    });
    const { port } = await server.listen(settings.host, settings.port);
    const historyMs = settings.historyHours * hourMs;
    const stopMaintenance = startMaintenance({ engine, store, logger, historyMs });
    return {
      routes: server.routes,
      firstToken: await access.ensureFirstToken(),
      hasSample: (await store.head(sampleAddress)) !== undefined,
      url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
      async stop(graceMs) {
        stopMaintenance();
        await server.close(graceMs);
        await access.close();
        closeAudit();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function openStore({ database: { url, pool }, data }: Settings): Promise<Store> {
  return url ? createPostgresStore({ url, connections: pool }) : createSqliteStore({ directory: data });
}
