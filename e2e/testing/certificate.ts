import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'vitest';
import { temporaryDirectory } from './temporary-directory.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Skipped without openssl, except where `CI` is set. */
export const withOpenssl = it.skipIf(!hasOpenssl && !process.env.CI);

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export function certificateFiles(): CertificateFiles {
  const directory = temporaryDirectory();
  return { cert: path.join(directory, 'tls.crt'), key: path.join(directory, 'tls.key') };
}

/** Writes a self-signed certificate and its key; returns the fingerprint. */
export function writeCertificate({ cert, key }: CertificateFiles): string {
  const form = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
  const names = ['-subj', '/CN=roster.test', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  execFileSync('openssl', [...form, ...names, '-out', cert, '-keyout', key], { stdio: 'ignore' });
  return new X509Certificate(readFileSync(cert)).fingerprint256;
}

/** The settings of a server with a new certificate. */
export function tlsEnvironment(): Record<string, string> {
  const files = certificateFiles();
  writeCertificate(files);
  return { ROSTER_TLS_CERT: files.cert, ROSTER_TLS_KEY: files.key };
}
