import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { type Context, Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';

export const testClient = { id: 'roster-console', secret: 'not-very-secret' };
export const testAudience = 'roster';

/** Who signs in, and what the issuer says of them. */
export interface TestAccount {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** All issuers begin with it: to make one takes longer than most tests. */
let firstKey: Promise<JWK> | undefined;

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return exportJWK(privateKey);
}

/** A real OpenID provider on a free port. Who comes to sign in is signed in at once, without questions. */
export class TestIssuer implements AsyncDisposable {
  readonly url: string;
  /** Who is signed in; nobody is refused as if they had pressed cancel. */
  account: TestAccount | undefined;
  /** How often the keys were read. */
  keyReads = 0;
  requests = 0;
  /** While it is set, every answer is 503. */
  isDown = false;
  idTokenSeconds = 3600;
  /** Goes into access tokens beside what is standard. */
  accessClaims: Record<string, unknown> = {};
  #key!: JWK;
  readonly #server: http.Server;
  readonly #redirectUris: string[] = ['http://127.0.0.1/unused'];
  #provider!: Provider;
  readonly #adapter = createMemoryAdapter(0);

  private constructor(server: http.Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => this.#handle(request, response));
  }

  static async start(): Promise<TestIssuer> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new TestIssuer(server);
    firstKey ??= makeKey();
    issuer.#use(await firstKey);
    return issuer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** From now on there is a new key, and the old one is gone. */
  async rotateKeys(): Promise<void> {
    this.#use(await makeKey());
  }

  /** Browsers may come back to this address. */
  allowRedirect(uri: string): void {
    this.#redirectUris.push(uri);
    this.#provider = this.#createProvider();
  }

  get keyId(): string {
    return this.#key.kid!;
  }

  /** The public part of the key, as everyone can read it. */
  get publicKey(): JWK {
    const { kty, n, e } = this.#key;
    return { kty, n, e } as JWK;
  }

  /** An access token, asked for as a program asks. */
  async accessToken(): Promise<string> {
    const response = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${testClient.id}:${testClient.secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: `urn:${testAudience}` }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  }

  /** A token made by hand, good unless `claims` or `header` say otherwise. `undefined` leaves a claim out. */
  async sign(
    claims: Record<string, unknown> = {},
    header: Partial<JWTHeaderParameters> = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.url, aud: testAudience, sub: 'someone', iat: now, exp: now + 600, ...claims };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: this.keyId, ...header })
      .sign(await importJWK(this.#key, 'RS256'));
  }

  #use(key: JWK): void {
    this.#key = { ...key, kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' };
    this.#provider = this.#createProvider();
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    this.requests += 1;
    if (this.isDown) response.writeHead(503).end();
    else if (request.url?.startsWith('/interaction/')) this.#signIn(request, response);
    else {
      if (request.url === '/jwks') this.keyReads += 1;
      this.#provider.callback()(request, response);
    }
  }

  #signIn(request: IncomingMessage, response: ServerResponse): void {
    const result = this.account
      ? { login: { accountId: this.account.sub } }
      : { error: 'access_denied', error_description: 'cancelled' };
    void this.#provider.interactionFinished(request, response, result);
  }

  #createProvider(): Provider {
    return new Provider(this.url, {
      adapter: this.#adapter,
      jwks: { keys: [this.#key] },
      clients: [
        {
          client_id: testClient.id,
          client_secret: testClient.secret,
          redirect_uris: this.#redirectUris,
          grant_types: ['authorization_code', 'client_credentials'],
        },
      ],
      cookies: { keys: ['only for tests'] },
      claims: { openid: ['sub'], profile: ['preferred_username', 'groups'], email: ['email'] },
      conformIdTokenClaims: false,
      findAccount: (_context: Context, accountId: string) => ({
        accountId,
        claims: () => ({ ...this.account, sub: accountId }),
      }),
      interactions: { url: () => '/interaction/sign-in' },
      loadExistingGrant: grantEverything,
      extraTokenClaims: () => this.accessClaims,
      ttl: {
        AccessToken: 600,
        ClientCredentials: 600,
        Grant: 600,
        IdToken: () => this.idTokenSeconds,
        Interaction: 600,
        Session: 600,
      },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({ scope: '', audience: testAudience, accessTokenFormat: 'jwt' }),
        },
      },
    });
  }
}

async function grantEverything({ oidc }: Context): Promise<unknown> {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client.clientId,
    accountId: oidc.session.accountId,
  });
  grant.addOIDCScope('openid profile email');
  await grant.save();
  return grant;
}
