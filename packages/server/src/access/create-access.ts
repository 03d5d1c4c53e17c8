import type { TokenStore } from '@roster/engine';
import type { Logger } from 'pino';
import type { Settings } from '../settings/all-settings.ts';
import { Authenticator } from './authenticator.ts';
import { FailedCredentials } from './failed-credentials.ts';
import { addFirstToken, readTokenFile } from './first-token.ts';
import { KnownTokens } from './known-tokens.ts';
import type { Oidc } from './oidc/create-oidc.ts';
import { type OidcSettings, oidcSettingsOf } from './oidc/oidc-settings.ts';
import type { OidcSignIn } from './oidc/oidc-sign-in.ts';
import { makeTokenText } from './token-text.ts';

const ignoredFile = 'the bootstrap token file is passed over: there has been a token before';

export interface AccessControl {
  readonly authenticator: Authenticator;
  /** Undefined where authentication is off. */
  readonly knownTokens: KnownTokens | undefined;
  /** Undefined where browsers cannot sign in with an issuer. */
  readonly signIn: OidcSignIn | undefined;
  /**
   * Sees to it that someone can get in. Resolves to the text of the first token if it was made just now, to be shown
   * this once; so it is to be called when nothing can go wrong any more.
   */
  ensureFirstToken(): Promise<string | undefined>;
  close(): Promise<void>;
}

export interface AccessControlOptions {
  readonly settings: Pick<Settings, 'auth' | 'bootstrapTokenFile' | 'oidc' | 'limits'>;
  readonly tokens: TokenStore;
  readonly logger: Logger;
}

/** What decides who may come in, as the settings want it. */
export async function createAccess(options: AccessControlOptions): Promise<AccessControl> {
  const { settings, tokens, logger } = options;
  const failures = new FailedCredentials(settings.limits.failuresPerMinute);
  if (settings.auth === 'off') {
    const authenticator = new Authenticator({ tokens: undefined, oidc: undefined, failures });
    return {
      authenticator,
      knownTokens: undefined,
      signIn: undefined,
      ensureFirstToken: async () => undefined,
      async close() {},
    };
  }
  const { bootstrapTokenFile } = settings;
  const given = bootstrapTokenFile === undefined ? undefined : await readTokenFile(bootstrapTokenFile);
  const knownTokens = await KnownTokens.open(tokens, {
    onFailure: (error) => logger.error({ err: error }, 'the tokens in the store cannot be reached'),
  });
  const oidcSettings = oidcSettingsOf(settings);
  const oidc = oidcSettings && (await startOidc(oidcSettings, logger));
  return {
    authenticator: new Authenticator({
      tokens: knownTokens,
      oidc: oidc?.authenticator,
      failures,
    }),
    knownTokens,
    signIn: oidc?.signIn,
    async ensureFirstToken() {
      const text = given ?? makeTokenText();
      if (knownTokens.count > 0 || !(await addFirstToken(tokens, text))) {
        if (given !== undefined) logger.info({ file: bootstrapTokenFile }, ignoredFile);
        return undefined;
      }
      await knownTokens.refresh();
      return given === undefined ? text : undefined;
    },
    close() {
      oidc?.close();
      return knownTokens.close();
    },
  };
}

/** Its libraries are loaded only where there is an issuer. */
async function startOidc(settings: OidcSettings, logger: Logger): Promise<Oidc> {
  const { createOidc } = await import('./oidc/create-oidc.ts');
  return createOidc(settings, logger);
}
