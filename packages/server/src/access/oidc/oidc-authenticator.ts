import { RosterError } from '@roster/contract';
import type { MaybePromise } from '@roster/engine';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Principal } from '../../http/principal.ts';
import { grantOfClaims } from './grant-of-claims.ts';
import type { Issuer } from './issuer.ts';
import type { OidcSettings } from './oidc-settings.ts';

const maxLength = 16 * 1024;
const shape = /^[\w-]+\.[\w-]+\.([\w-]+)$/;
const maxRemembered = 2_000;
const skewSeconds = 30;
const latestDateMs = 8.64e15;
const nameLength = 200;

/** ID and access tokens. Other JWTs of an issuer, such as logout tokens, are refused. */
const types: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

/** What a principal was authenticated with. */
interface Proof {
  readonly jwt: string;
  /** The version of the keys that verified it last. */
  version: unknown;
  isVoid: boolean;
}

/** Authenticates JWTs of the issuer. */
export class OidcAuthenticator {
  readonly #issuer: Issuer;
  readonly #settings: OidcSettings;
  readonly #remembered = new Map<string, Principal>();
  #rememberedVersion: unknown;
  readonly #proofs = new WeakMap<Principal, Proof>();

  constructor(issuer: Issuer, settings: OidcSettings) {
    this.#issuer = issuer;
    this.#settings = settings;
  }

  /** Throws `unauthorized`, `forbidden` for users without a role here, or `issuer_unavailable`. */
  authenticate(jwt: string): MaybePromise<Principal> {
    return this.#recall(jwt) ?? this.#identify(jwt);
  }

  async #identify(jwt: string): Promise<Principal> {
    if (jwt.length > maxLength) throw unauthorized(`it has more than ${maxLength} characters`);
    if (!isOnlyText(jwt)) throw unauthorized('it is malformed');
    const claims = await this.#verify(jwt);
    const { version } = this.#issuer;
    const grant = grantOfClaims(claims, this.#settings.claims);
    if (grant === undefined) {
      throw new RosterError(
        'forbidden',
        `${nameOf(claims)} is signed in but has no role here; an administrator can give one in the claims of the issuer or in the settings of the server`,
      );
    }
    const principal: Principal = {
      name: nameOf(claims),
      kind: 'oidc',
      id: claims.sub!,
      ...grant,
      expiresAtMs: Math.min((claims.exp! + skewSeconds) * 1000, latestDateMs),
    };
    this.#remember(jwt, principal);
    this.#proofs.set(principal, { jwt, version, isVoid: false });
    return principal;
  }

  /** Whether a JWT was verified before and is still valid. */
  knows(jwt: string): boolean {
    return this.#recall(jwt) !== undefined;
  }

  /** Whether a principal is still valid. New keys verify it in the background; the next call has the result. */
  isValid(principal: Principal): boolean {
    const proof = this.#proofs.get(principal);
    if (proof === undefined || principal.expiresAtMs! <= Date.now()) return false;
    if (proof.version !== this.#issuer.version) this.#prove(proof);
    return !proof.isVoid;
  }

  #prove(proof: Proof): void {
    proof.version = this.#issuer.version;
    this.#verify(proof.jwt).catch(({ code }: Partial<RosterError>) => {
      // An issuer that does not answer has revoked nothing.
      if (code !== 'issuer_unavailable') proof.isVoid = true;
    });
  }

  async #verify(jwt: string): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(jwt, this.#issuer.keyFor, {
        issuer: this.#issuer.url,
        audience: [...this.#settings.audiences],
        algorithms: [...this.#settings.algorithms],
        clockTolerance: skewSeconds,
        requiredClaims: ['exp', 'sub'],
      });
      if (!types.includes(protectedHeader.typ?.toLowerCase()))
        throw unauthorized('it is not an access or ID token');
      if (typeof payload.sub !== 'string' || payload.sub === '')
        throw unauthorized('its sub is not a string');
      return payload;
    } catch (error) {
      if (error instanceof RosterError) throw error;
      if (error instanceof errors.JOSEError) throw unauthorized(faultOf(error), error);
      throw error;
    }
  }

  #recall(jwt: string): Principal | undefined {
    if (this.#rememberedVersion !== this.#issuer.version) {
      this.#remembered.clear();
      this.#rememberedVersion = this.#issuer.version;
    }
    const principal = this.#remembered.get(jwt);
    if (principal === undefined || principal.expiresAtMs! > Date.now()) return principal;
    this.#remembered.delete(jwt);
    return undefined;
  }

  #remember(jwt: string, principal: Principal): void {
    if (this.#remembered.size >= maxRemembered) {
      const [oldest] = this.#remembered.keys();
      this.#remembered.delete(oldest!);
    }
    this.#remembered.set(jwt, principal);
  }
}

/** Whether the encoding is canonical. Otherwise, a JWT could be remembered many times. */
function isOnlyText(jwt: string): boolean {
  const signature = shape.exec(jwt)?.[1];
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** Control and formatting characters, and halves of characters: names are shown and stored. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

function nameOf({ preferred_username, email, sub }: JWTPayload): string {
  const name = [preferred_username, email, sub].find((each) => typeof each === 'string' && each !== '');
  return String(name).slice(0, nameLength).replaceAll(unseen, '\uFFFD');
}

function faultOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `its claim ${error.claim} is not accepted`;
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not allowed';
  if (error instanceof errors.JWKSNoMatchingKey) return 'the issuer has no such key';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  return 'it is malformed';
}

function unauthorized(fault: string, cause?: unknown): RosterError {
  return new RosterError('unauthorized', `the JWT is not valid: ${fault}`, { cause });
}
