import type { SecureContextOptions, Server } from 'node:tls';
import type { Logger } from 'pino';
import { checkKeyPair, InvalidKeyPair, type KeyPair, type KeyPairFiles, readKeyPair } from './key-pair.ts';

/** TLS 1.3, and the ciphers of 1.2 with forward secrecy and authenticated encryption. */
const protocol: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
};

/** The certificate and key of a server, reloaded when their files change and on SIGHUP. Invalid files are only logged. */
export class ReloadingCertificate {
  readonly #files: KeyPairFiles;
  readonly #logger: Logger;
  readonly #lookEveryMs: number;
  readonly #servers = new Set<Server>();
  #timer: NodeJS.Timeout | undefined;
  #current: KeyPair;
  /** The files at the last look. */
  #seen: KeyPair | undefined;
  /** The pair that was last loaded or refused. */
  #tried: KeyPair;

  /** Throws `InvalidKeyPair`. */
  constructor(files: KeyPairFiles, logger: Logger, lookEveryMs: number) {
    this.#files = files;
    this.#logger = logger;
    this.#lookEveryMs = lookEveryMs;
    this.#current = readKeyPair(files);
    this.#tried = this.#current;
    this.#report('serving TLS');
  }

  /** The options to create a server with. Pass it to `serve` then. */
  get options(): SecureContextOptions {
    return { ...protocol, ...this.#current };
  }

  serve(server: Server): void {
    this.#servers.add(server);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#look(), this.#lookEveryMs).unref();
    process.on('SIGHUP', this.reload);
  }

  readonly reload = (): void => {
    try {
      this.#tried = readKeyPair(this.#files);
      this.#report('the certificate was reloaded');
    } catch (error) {
      this.#refuse(error);
      return;
    }
    this.#current = this.#tried;
    for (const server of this.#servers) server.setSecureContext(this.options);
  };

  close(): void {
    clearInterval(this.#timer);
    process.off('SIGHUP', this.reload);
  }

  /** Two files never change at once, so it waits until both stay the same. */
  #look(): void {
    const before = this.#seen;
    this.#seen = tryRead(this.#files);
    if (this.#seen === undefined || !isSame(this.#seen, before)) return;
    if (!isSame(this.#seen, this.#tried)) this.reload();
  }

  /** Throws `InvalidKeyPair`. */
  #report(message: string): void {
    const { validToDate, subject, fingerprint256 } = checkKeyPair(this.#tried);
    const level = validToDate.getTime() < Date.now() ? 'warn' : 'info';
    const validTo = validToDate.toISOString();
    this.#logger[level]({ subject, valid_to: validTo, fingerprint: fingerprint256 }, message);
  }

  #refuse(error: unknown): void {
    if (!(error instanceof InvalidKeyPair)) throw error;
    const reason = `tls.${error.file} ${error.message}`;
    this.#logger.error({ reason, ...this.#files }, 'the new certificate cannot be used; the old one stays');
  }
}

/** Undefined while a file is being replaced. */
function tryRead(files: KeyPairFiles): KeyPair | undefined {
  try {
    return readKeyPair(files);
  } catch {
    return undefined;
  }
}

function isSame(pair: KeyPair, other: KeyPair | undefined): boolean {
  return pair.cert === other?.cert && pair.key === other.key;
}
