import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { KeyPair } from '../tls/key-pair.ts';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export interface Certificate extends KeyPair {
  readonly fingerprint: string;
}

/** A certificate for 127.0.0.1 that vouches for itself, made by the system's openssl. */
export function makeCertificate(): Certificate {
  const directory = temporaryDirectory();
  const [cert, key] = [path.join(directory, 'cert'), path.join(directory, 'key')];
  openssl(
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2'],
    ...['-subj', '/CN=roster.test', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ...['-out', cert, '-keyout', key],
  );
  return readCertificate(cert, key);
}

export async function makeExpiredCertificate(): Promise<Certificate> {
  const directory = temporaryDirectory();
  const [cert, key, expired] = ['cert', 'key', 'expired'].map((name) => path.join(directory, name));
  const made = makeCertificate();
  writeFileSync(cert!, made.cert);
  writeFileSync(key!, made.key);
  openssl('x509', '-in', cert!, '-signkey', key!, '-days', '0', '-out', expired!);
  // It ends with the second in which it was made.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  return readCertificate(expired!, key!);
}

function openssl(...words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'ignore' });
}

function readCertificate(cert: string, key: string): Certificate {
  const text = readFileSync(cert, 'utf8');
  return {
    cert: text,
    key: readFileSync(key, 'utf8'),
    fingerprint: new X509Certificate(text).fingerprint256,
  };
}

/** The two files that a server is given, to be written over. */
export class CertificateFiles {
  readonly #directory = temporaryDirectory();
  readonly cert = path.join(this.#directory, 'tls.crt');
  readonly key = path.join(this.#directory, 'tls.key');

  constructor(first: KeyPair) {
    this.write(first);
  }

  write({ cert, key }: KeyPair): void {
    writeFileSync(this.cert, cert);
    writeFileSync(this.key, key);
  }

  get environment(): Record<string, string> {
    return { ROSTER_TLS_CERT: this.cert, ROSTER_TLS_KEY: this.key };
  }
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-tls-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}
