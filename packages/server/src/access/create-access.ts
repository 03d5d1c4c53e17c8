import { readFile } from 'node:fs/promises';
import { fullScope } from '@roster/contract';
import type { TokenStore } from '@roster/engine';
import type { Logger } from 'pino';
import type { Settings } from '../settings/all-settings.ts';
import { InvalidSettings } from '../settings/invalid-settings.ts';
import { Authenticator } from './authenticator.ts';
import { FailedCredentials } from './failed-credentials.ts';
import { KnownTokens } from './known-tokens.ts';
import { makeToken } from './make-token.ts';
import { type OidcSettings, oidcSettingsOf } from './oidc/oidc-settings.ts';
import type { OidcSignIn } from './oidc/oidc-sign-in.ts';
import { isTokenText, makeTokenText } from './token-text.ts';

const ignoredFile = 'the bootstrap token file is ignored: a token has already been created';

export interface AccessControl {
  readonly authenticator: Authenticator;
  /** Undefined if authentication is off. */
  readonly knownTokens: KnownTokens | undefined;
  /** Undefined if browsers cannot sign in with an issuer. */
  readonly signIn: OidcSignIn | undefined;
  /** Resolves to the first token if it was just created. It is shown only once, so call this when startup cannot fail. */
  ensureFirstToken(): Promise<string | undefined>;
  close(): Promise<void>;
}

export async function createAccess(
  settings: Settings,
  tokens: TokenStore,
  logger: Logger,
): Promise<AccessControl> {
  const failures = new FailedCredentials(settings.limits.failuresPerMinute);
  if (settings.auth === 'off') {
    return {
      authenticator: new Authenticator({ tokens: undefined, oidc: undefined, failures }),
      knownTokens: undefined,
      signIn: undefined,
      ensureFirstToken: async () => undefined,
      async close() {},
    };
  }
  const { bootstrapTokenFile } = settings;
  const given = bootstrapTokenFile === undefined ? undefined : await readTokenFile(bootstrapTokenFile);
  const knownTokens = await KnownTokens.open(tokens, (error) =>
    logger.error({ err: error }, 'the tokens in the store cannot be reached'),
  );
  const oidcSettings = oidcSettingsOf(settings);
  const oidc = oidcSettings && (await startOidc(oidcSettings, logger));
  return {
    authenticator: new Authenticator({ tokens: knownTokens, oidc: oidc?.authenticator, failures }),
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
      oidc?.issuer.stop();
      return knownTokens.close();
    },
  };
}

/** Its libraries are loaded only if there is an issuer. */
async function startOidc(settings: OidcSettings, logger: Logger) {
  const { Issuer } = await import('./oidc/issuer.ts');
  const { OidcAuthenticator } = await import('./oidc/oidc-authenticator.ts');
  const { OidcSignIn } = await import('./oidc/oidc-sign-in.ts');
  const issuer = new Issuer(settings.issuer, { logger });
  await issuer.start();
  const authenticator = new OidcAuthenticator(issuer, settings);
  const { browser } = settings;
  return { issuer, authenticator, signIn: browser && new OidcSignIn(issuer, authenticator, browser) };
}

/** Adds an admin token. Resolves to false if there has ever been a token. */
function addFirstToken(store: TokenStore, text: string): Promise<boolean> {
  const token = makeToken(text, {
    name: 'first',
    role: 'admin',
    scopes: [fullScope],
    createdBy: 'the first start',
    createdAtMs: Date.now(),
    expiresAtMs: undefined,
  });
  return store.addFirst(token);
}

async function readTokenFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InvalidSettings([`the bootstrap token file ${file} cannot be read: ${error.code}`]);
  });
  if (isTokenText(text.trim())) return text.trim();
  throw new InvalidSettings([
    `the bootstrap token file ${file} must hold a token and nothing else; roster token generate makes one`,
  ]);
}
