import type { Logger } from 'pino';
import { Issuer } from './issuer.ts';
import { OidcAuthenticator } from './oidc-authenticator.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { OidcSignIn } from './oidc-sign-in.ts';

export interface Oidc {
  readonly authenticator: OidcAuthenticator;
  /** Undefined where browsers cannot sign in with the issuer. */
  readonly signIn: OidcSignIn | undefined;
  close(): void;
}

/** Begins with or without an answer of the issuer. */
export async function createOidc(settings: OidcSettings, logger: Logger): Promise<Oidc> {
  const issuer = new Issuer(settings.issuer, { logger });
  await issuer.start();
  const authenticator = new OidcAuthenticator(issuer, settings);
  const { browser } = settings;
  return {
    authenticator,
    signIn: browser && new OidcSignIn(issuer, authenticator, browser),
    close: () => issuer.stop(),
  };
}
