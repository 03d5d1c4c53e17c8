import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import tls from 'node:tls';
import { expect, it, vi } from 'vitest';
import { spawnServer } from './testing/start-server.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Writes a certificate that vouches for itself, and its key; returns its fingerprint. */
function writeCertificate(cert: string, key: string): string {
  const form = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
  const names = ['-subj', '/CN=roster.test', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  execFileSync('openssl', [...form, ...names, '-out', cert, '-keyout', key], { stdio: 'ignore' });
  return new X509Certificate(readFileSync(cert)).fingerprint256;
}

function servedFingerprint({ hostname, port }: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

it.skipIf(!hasOpenssl && !process.env.CI)(
  'greets with an https address, takes a new certificate on SIGHUP and runs on (needs openssl)',
  async () => {
    const directory = temporaryDirectory();
    const [cert, key] = [path.join(directory, 'tls.crt'), path.join(directory, 'tls.key')];
    const first = writeCertificate(cert, key);
    const { process: server } = spawnServer({ environment: { ROSTER_TLS_CERT: cert, ROSTER_TLS_KEY: key } });
    const address = await server.address();
    expect(address.protocol).toBe('https:');
    expect(server.stdout).toContain(`Console  ${address.origin}/`);
    expect(await servedFingerprint(address)).toBe(first);
    const second = writeCertificate(cert, key);
    server.signal('SIGHUP');
    await vi.waitFor(async () => expect(await servedFingerprint(address)).toBe(second), { timeout: 20_000 });
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  },
);
