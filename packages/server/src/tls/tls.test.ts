import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type http from 'node:http';
import https, { Agent } from 'node:https';
import net from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import tls, { type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { InvalidSettings } from '../settings/invalid-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import {
  type Certificate,
  CertificateFiles,
  hasOpenssl,
  makeCertificate,
  makeExpiredCertificate,
} from '../testing/certificate.ts';
import { TestServer } from '../testing/test-server.ts';

/** In continuous integration nothing may be left out quietly, so there the tests run and fail. */
const skip = !hasOpenssl && !process.env.CI;
const needs = hasOpenssl ? '' : ' (needs openssl)';
const patience = { timeout: 20_000 };

interface Started {
  readonly server: TestServer;
  readonly files: CertificateFiles;
  readonly lines: Record<string, unknown>[];
}

async function start(first = makeCertificate()): Promise<Started> {
  const files = new CertificateFiles(first);
  const lines: Record<string, unknown>[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const server = await TestServer.start(files.environment, undefined, pino({ level: 'info' }, log));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, files, lines };
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly fingerprint: string;
}

/** Asks over TLS, trusting one certificate alone. */
function ask(server: TestServer, ca: Certificate, options: https.RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { ca: ca.cert, agent: false as const, ...options };
    const request = https.get(`${server.url}/healthz`, all, (response) => {
      const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
      response.resume().once('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, fingerprint: fingerprint256 });
      });
    });
    request.once('error', reject);
  });
}

describe.skipIf(skip)(`TLS${needs}`, () => {
  it('is what the server speaks, and browsers are told to stay with it', async () => {
    const certificate = makeCertificate();
    const { server } = await start(certificate);
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const { status, headers } = await ask(server, certificate);
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
    await expect(ask(server, makeCertificate())).rejects.toThrow(/self-signed/);
  });

  it('answers lists and errors with the same headers', async () => {
    const certificate = makeCertificate();
    const { server } = await start(certificate);
    const path = '/monitor/ts/data/v1/subscriptions/a/resourceGroups/b/zones/c/telemetryStations/d/resources';
    const { status, headers } = await ask(server, certificate, { path });
    expect([status, headers['strict-transport-security']]).toEqual([404, 'max-age=31536000']);
  });

  it('brings answers to a client that asks and says in the same breath that it was all', async () => {
    const certificate = makeCertificate();
    const { server } = await start(certificate);
    const station = 'subscriptions/a/resourceGroups/b/zones/c/telemetryStations/d';
    await ask(server, certificate, { method: 'PUT', path: `/roster/v1/${station}` });
    const port = Number(new URL(server.url).port);
    const list = `/monitor/ts/data/v1/${station}/resources?page.size=1`;
    await ask(server, certificate, { path: list });
    for (const path of [list, '/healthz', list, '/healthz']) {
      const socket = tls.connect({ port, host: '127.0.0.1', ca: certificate.cert });
      await once(socket, 'secureConnect');
      socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    }
  });

  it('is of version 1.2 at least', async () => {
    const certificate = makeCertificate();
    const { server } = await start(certificate);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const { status } = await ask(server, certificate, { minVersion: version, maxVersion: version });
      expect(status).toBe(200);
    }
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const;
    await expect(ask(server, certificate, old)).rejects.toThrow(/alert|version|protocol/);
    const weak = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' } as const;
    await expect(ask(server, certificate, weak)).rejects.toThrow(/handshake failure/);
  });

  it('survives whoever does not speak it', async () => {
    const certificate = makeCertificate();
    const { server } = await start(certificate);
    const { port } = new URL(server.url);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01\xff\xff', '\0'.repeat(4096)]) {
      const socket = net.connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.end(bytes);
      await once(socket.resume(), 'close');
    }
    const rude = net.connect(Number(port), '127.0.0.1');
    await once(
      tls.connect({ socket: rude, rejectUnauthorized: false }).on('error', () => {}),
      'secureConnect',
    );
    rude.resetAndDestroy();
    expect((await ask(server, certificate)).status).toBe(200);
  });

  it('answers over it to what is no HTTP', async () => {
    const { server } = await start();
    const port = Number(new URL(server.url).port);
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.write('nonsense\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toContain('HTTP/1.1 400');
  });
});

describe.skipIf(skip)(`a certificate${needs}`, () => {
  it('is taken up when its files change, and open connections go on', async () => {
    const [first, second] = [makeCertificate(), makeCertificate()];
    const { server, files } = await start(first);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    expect((await ask(server, first, { agent })).fingerprint).toBe(first.fingerprint);
    files.write(second);
    await vi.waitFor(async () => {
      expect((await ask(server, second)).fingerprint).toBe(second.fingerprint);
    }, patience);
    const onOpenConnection = await ask(server, first, { agent });
    expect([onOpenConnection.status, onOpenConnection.fingerprint]).toEqual([200, first.fingerprint]);
    await expect(ask(server, first)).rejects.toThrow(/self-signed/);
  });

  it('is taken up at once on SIGHUP', async () => {
    const [first, second] = [makeCertificate(), makeCertificate()];
    const { server, files, lines } = await start(first);
    files.write(second);
    process.emit('SIGHUP');
    expect((await ask(server, second)).fingerprint).toBe(second.fingerprint);
    const line = lines.find(({ msg }) => msg === 'the certificate was reloaded');
    expect(line).toMatchObject({ level: 30, fingerprint: second.fingerprint, valid_to: expect.any(String) });
    expect(JSON.stringify(lines)).not.toContain('PRIVATE KEY');
  });

  it('that cannot be used is told of once, and the old one stays until one comes that can', async () => {
    const [first, second, third] = [makeCertificate(), makeCertificate(), makeCertificate()];
    const { server, files, lines } = await start(first);
    const refusals = () => lines.filter(({ level }) => level === 50);
    files.write({ cert: second.cert, key: first.key });
    await vi.waitFor(() => expect(refusals()).toHaveLength(1), patience);
    expect(refusals()[0]).toMatchObject({
      msg: 'the new certificate cannot be used; the old one stays',
      reason: 'tls.key does not fit the certificate, the first one in tls.cert',
    });
    expect((await ask(server, first)).fingerprint).toBe(first.fingerprint);
    files.write(third);
    await vi.waitFor(async () => {
      expect((await ask(server, third)).fingerprint).toBe(third.fingerprint);
    }, patience);
    expect(refusals()).toHaveLength(1);
  });

  it('that was deleted stays in use', async () => {
    const first = makeCertificate();
    const { server, files, lines } = await start(first);
    writeFileSync(files.key, '');
    process.emit('SIGHUP');
    expect(lines.at(-1)).toMatchObject({
      level: 50,
      reason: expect.stringContaining('tls.key has no private key'),
    });
    expect((await ask(server, first)).status).toBe(200);
  });

  it('that has expired is served, with a warning', async () => {
    const { lines } = await start(await makeExpiredCertificate());
    expect(lines.find(({ msg }) => msg === 'serving TLS')).toMatchObject({ level: 40 });
  });
});

describe.skipIf(skip)(`the settings of TLS${needs}`, () => {
  const faultOf = (environment: Record<string, string>) => {
    try {
      readSettings(environment);
    } catch (error) {
      if (error instanceof InvalidSettings) return error.message;
    }
    return undefined;
  };

  it('come together, and must fit', () => {
    const [first, second] = [makeCertificate(), makeCertificate()];
    const files = new CertificateFiles(first);
    const { environment } = files;
    expect(faultOf(environment)).toBeUndefined();
    expect(faultOf({ ROSTER_TLS_CERT: files.cert })).toBe(
      'ROSTER_TLS_CERT is set, but tls.key is not; set both',
    );
    expect(faultOf({ ROSTER_TLS_KEY: files.key })).toBe(
      'ROSTER_TLS_KEY is set, but tls.cert is not; set both',
    );
    expect(faultOf({ ...environment, ROSTER_TLS_KEY: '/none' })).toBe(
      'ROSTER_TLS_KEY names "/none", which cannot be read (ENOENT)',
    );
    files.write({ cert: first.cert, key: second.key });
    expect(faultOf(environment)).toBe(
      'ROSTER_TLS_KEY does not fit the certificate, the first one in tls.cert',
    );
    files.write({ cert: first.key, key: first.cert });
    expect(faultOf(environment)).toBe('ROSTER_TLS_CERT has no certificate in PEM form');
    files.write({ cert: first.cert, key: 'secret nonsense' });
    expect(faultOf(environment)).toBe('ROSTER_TLS_KEY has no private key in PEM form, or an encrypted one');
  });

  it('refuse a key that is encrypted', () => {
    const { cert, key } = makeCertificate();
    const cipher = { cipher: 'aes-256-cbc', passphrase: 'secret', type: 'pkcs8', format: 'pem' } as const;
    const files = new CertificateFiles({ cert, key: String(createPrivateKey(key).export(cipher)) });
    expect(faultOf(files.environment)).toBe(
      'ROSTER_TLS_KEY has no private key in PEM form, or an encrypted one',
    );
  });
});
