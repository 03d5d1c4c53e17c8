import type { RosterError } from '@roster/contract';
import type { Engine, Store } from '@roster/engine';
import type { Logger } from 'pino';
import type { Authenticator } from '../access/authenticator.ts';
import type { KnownTokens } from '../access/known-tokens.ts';
import type { OidcSignIn } from '../access/oidc/oidc-sign-in.ts';
import type { Audit } from '../audit/audit.ts';
import type { Handlers } from '../http/answer.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RawResponseWriter } from '../node/raw-response-writer.ts';
import type { BrowserProtection } from '../pipeline/browser-protection.ts';
import type { HeavyReads } from '../pipeline/shedding/heavy-reads.ts';
import type { ChangeStreams } from './changes/change-streams.ts';
import { changeOperations } from './changes/changes.ts';
import { exportOperations } from './export/export.ts';
import { listOperations } from './list/list.ts';
import { resourceOperations } from './resource/resource.ts';
import { serverOperations } from './server/server.ts';
import { oidcOperations } from './session/oidc-session.ts';
import { sessionOperations } from './session/session.ts';
import { stationOperations } from './stations/stations.ts';
import { summaryOperations } from './summary/summary.ts';
import { tokenOperations } from './tokens/tokens.ts';
import { typeOperations } from './types/types.ts';
import { writeOperations } from './write/write.ts';

export interface OperationOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly audit: Audit;
  readonly authenticator: Authenticator;
  /** Undefined where authentication is off. */
  readonly knownTokens: KnownTokens | undefined;
  /** Undefined where browsers cannot sign in with an issuer. */
  readonly signIn: OidcSignIn | undefined;
  readonly browserProtection: BrowserProtection;
  readonly heavyReads: HeavyReads;
  readonly streams: ChangeStreams;
  readonly writer: RawResponseWriter;
  readonly hasMetricsPort: boolean;
  readonly strictQuery: boolean;
  readonly maxUnpaged: number;
  readonly maxBodyBytes: number;
  readonly isDraining: () => boolean;
  readonly lost: () => RosterError | undefined;
}

/** The handler of every operation. */
export function createHandlers(options: OperationOptions): Handlers {
  const { store, engine, heavyReads, metrics } = options;
  return {
    ...listOperations(options),
    ...stationOperations(store, heavyReads),
    ...writeOperations({ ...options, importedBytes: metrics.importedBytes }),
    ...resourceOperations(store, engine),
    ...changeOperations(options),
    ...summaryOperations(engine, heavyReads),
    ...exportOperations(engine, heavyReads),
    ...typeOperations(store, engine, heavyReads),
    ...tokenOperations({ ...options, store: store.tokens, known: options.knownTokens }),
    ...sessionOperations(options),
    ...oidcOperations(options),
    ...serverOperations({ ...options, registry: metrics.registry }),
  };
}
