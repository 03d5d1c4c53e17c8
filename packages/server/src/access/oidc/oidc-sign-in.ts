import { RosterError } from '@roster/contract';
import * as client from 'openid-client';
import type { Principal } from '../../http/principal.ts';
import type { Issuer } from './issuer.ts';
import type { OidcAuthenticator } from './oidc-authenticator.ts';
import type { BrowserSettings } from './oidc-settings.ts';
import { type SignInAttempt, SignInFailure, type SignInFailureCode } from './sign-in-attempt.ts';

const timeoutSeconds = 10;

/** Signs people in with the issuer: authorization code with PKCE. */
export class OidcSignIn {
  readonly name: string;
  readonly #issuer: Issuer;
  readonly #authenticator: OidcAuthenticator;
  readonly #settings: BrowserSettings;

  constructor(issuer: Issuer, authenticator: OidcAuthenticator, settings: BrowserSettings) {
    this.name = settings.name;
    this.#issuer = issuer;
    this.#authenticator = authenticator;
    this.#settings = settings;
  }

  /** Where to send the browser, and what it must keep. */
  async begin(redirectUri: string, returnTo: string): Promise<{ location: URL; attempt: SignInAttempt }> {
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      returnTo,
    };
    const location = client.buildAuthorizationUrl(this.#configure(), {
      redirect_uri: redirectUri,
      scope: this.#settings.request.join(' '),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { location, attempt };
  }

  /**
   * `url` is where the issuer sent the browser back to. The credential is the ID token, which every node can verify.
   * Throws `SignInFailure`.
   */
  async finish(url: URL, attempt: SignInAttempt): Promise<{ credential: string; principal: Principal }> {
    if (url.searchParams.get('state') !== attempt.state) {
      throw new SignInFailure('stale', 'the browser came back from an earlier attempt');
    }
    try {
      const { id_token: credential } = await client.authorizationCodeGrant(this.#configure(), url, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
      });
      return { credential: credential!, principal: await this.#authenticator.authenticate(credential!) };
    } catch (error) {
      throw new SignInFailure(faultOf(error), (error as Error).message, error);
    }
  }

  #configure(): client.Configuration {
    const { metadata } = this.#issuer;
    const { clientId, clientSecret } = this.#settings;
    const authentication = clientAuthentication(metadata, clientSecret);
    const configuration = new client.Configuration(metadata, clientId, clientSecret, authentication);
    configuration.timeout = timeoutSeconds;
    // The settings allow this only on a loopback address.
    if (metadata.issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
    return configuration;
  }
}

function clientAuthentication(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: client.ServerMetadata,
  secret: string | undefined,
): client.ClientAuth {
  if (secret === undefined) return client.None();
  return methods.includes('client_secret_basic')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret);
}

function faultOf(error: unknown): SignInFailureCode {
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
    return 'cancelled';
  if (error instanceof RosterError && error.code === 'forbidden') return 'no_role';
  if (error instanceof RosterError && error.code === 'issuer_unavailable') return 'unavailable';
  return 'failed';
}
