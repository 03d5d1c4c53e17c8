import type { RosterError } from '@roster/contract';
import type { Engine, Store } from '@roster/engine';
import type { LiveSources } from '@roster/sources';
import type { Logger } from 'pino';
import type { Authenticator } from '../access/authenticator.ts';
import type { KnownTokens } from '../access/known-tokens.ts';
import type { OidcSignIn } from '../access/oidc/oidc-sign-in.ts';
import type { Audit } from '../audit/audit.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RawResponseWriter } from '../node/raw-response-writer.ts';
import type { BrowserProtection } from '../pipeline/browser-protection.ts';
import type { HeavyReads } from '../pipeline/shedding/heavy-reads.ts';

/** What handlers are made from. */
export interface OperationOptions {
  readonly store: Store;
  readonly engine: Engine;
  /** Undefined if none are configured. */
  readonly sources: LiveSources | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly audit: Audit;
  readonly authenticator: Authenticator;
  /** Undefined if authentication is off. */
  readonly knownTokens: KnownTokens | undefined;
  /** Undefined if browsers cannot sign in with an issuer. */
  readonly signIn: OidcSignIn | undefined;
  readonly browserProtection: BrowserProtection;
  readonly heavyReads: HeavyReads;
  readonly writer: RawResponseWriter;
  /** Whether `/metrics` is on a port of its own instead of this one. */
  readonly hasMetricsPort: boolean;
  readonly strictQuery: boolean;
  readonly maxUnpaged: number;
  readonly maxBodyBytes: number;
  readonly isDraining: () => boolean;
  /** Why nothing can be answered until a restart, if so. */
  readonly lost: () => RosterError | undefined;
}
