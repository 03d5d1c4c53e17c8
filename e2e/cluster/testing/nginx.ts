import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../testing/temporary-directory.ts';

const program = '/usr/sbin/nginx';
const example = fileURLToPath(new URL('../../../docs/examples/nginx.conf', import.meta.url));

const isInstalled = existsSync(program);

/** A test that needs nginx. In continuous integration nothing may be left out quietly, so there it runs and fails. */
export function behindNginx(name: string, test: () => Promise<void>): void {
  const note = isInstalled ? '' : ' (needs nginx: apt-get install nginx-light)';
  it.skipIf(!isInstalled && !process.env.CI)(`${name}${note}`, test);
}

/** The example of the documentation, with the addresses of servers that run here. */
export class Nginx {
  readonly port: number;
  readonly certificate: string;
  readonly #directory = temporaryDirectory();

  private constructor(port: number, upstreams: readonly string[]) {
    this.port = port;
    const { key, certificate } = this.#makeCertificate();
    this.certificate = readFileSync(certificate, 'utf8');
    const [first, second] = upstreams.map((url) => new URL(url).host);
    const site = readFileSync(example, 'utf8')
      .replace('10.0.0.11:8080', first!)
      .replace('10.0.0.12:8080', second!)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/nginx/roster.crt', certificate)
      .replace('/etc/nginx/roster.key', key);
    writeFileSync(join(this.#directory, 'site.conf'), site);
    writeFileSync(join(this.#directory, 'nginx.conf'), this.#mainConfiguration());
  }

  static async start(upstreams: readonly string[]): Promise<Nginx> {
    const nginx = new Nginx(await freePort(), upstreams);
    execFileSync(program, [...nginx.#words, '-t'], { stdio: 'pipe' });
    const child = spawn(program, nginx.#words, { stdio: 'ignore' });
    onTestFinished(() => end(child));
    await nginx.#untilListening(child);
    return nginx;
  }

  /** For each request, the path and the server that answered it. */
  log(): { path: string; upstream: string }[] {
    const lines = readFileSync(join(this.#directory, 'access.log'), 'utf8').trim().split('\n');
    return lines.map((line) => {
      const [path, upstream] = line.split(' ');
      return { path: path!, upstream: upstream! };
    });
  }

  get #words(): string[] {
    return [
      '-p',
      this.#directory,
      '-c',
      join(this.#directory, 'nginx.conf'),
      '-e',
      join(this.#directory, 'error.log'),
    ];
  }

  #mainConfiguration(): string {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    return `
      daemon off; ${user} pid nginx.pid; worker_processes 1; error_log error.log;
      events {}
      http {
        log_format upstreams '$request_uri $upstream_addr';
        access_log access.log upstreams;
        ${temporary.map((kind) => `${kind}_temp_path ${kind};`).join(' ')}
        include site.conf;
      }`;
  }

  #makeCertificate(): { key: string; certificate: string } {
    const key = join(this.#directory, 'key.pem');
    const certificate = join(this.#directory, 'certificate.pem');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const words = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
    ];
    execFileSync('openssl', [...words, ...subject, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
    return { key, certificate };
  }

  async #untilListening(child: ChildProcess): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      if (await accepts(this.port)) return;
      if (attempt > 200 || child.exitCode !== null) {
        throw new Error(`nginx did not start: ${readFileSync(join(this.#directory, 'error.log'), 'utf8')}`);
      }
      await sleep(50);
    }
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
