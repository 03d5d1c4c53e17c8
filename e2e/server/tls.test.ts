import tls from 'node:tls';
import { expect, vi } from 'vitest';
import { certificateFiles, withOpenssl, writeCertificate } from '../testing/certificate.ts';
import { spawnServer } from '../testing/start-server.ts';

function servedFingerprint({ hostname, port }: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

withOpenssl(
  'greets with an https address, takes a new certificate on SIGHUP and runs on (needs openssl)',
  async () => {
    const files = certificateFiles();
    const first = writeCertificate(files);
    const environment = { ROSTER_TLS_CERT: files.cert, ROSTER_TLS_KEY: files.key };
    const { process: server } = spawnServer({ environment });
    const address = await server.address();
    expect(address.protocol).toBe('https:');
    expect(server.stdout).toContain(`Console  ${address.origin}/`);
    expect(await servedFingerprint(address)).toBe(first);
    const second = writeCertificate(files);
    server.signal('SIGHUP');
    await vi.waitFor(async () => expect(await servedFingerprint(address)).toBe(second), { timeout: 20_000 });
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  },
);
