import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../testing/temporary-directory.ts';

const isInstalled = ['prometheus', 'prometheus-alertmanager'].every(
  (command) => spawnSync(command, ['--version']).status === 0,
);

/** In continuous integration nothing may be left out quietly, so there the tests run and fail. */
export const withMonitoring = it.skipIf(!isInstalled && !process.env.CI);
export const monitoringNote = isInstalled
  ? ''
  : ' (needs Prometheus and Alertmanager: apt-get install prometheus prometheus-alertmanager)';

/** Below the ports that systems give to outgoing connections: one of those could take it while a program restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = net.createServer();
    const isFree = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!(await isFree)) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** A real Prometheus or Alertmanager that can be killed and started again with its data. Gone after the test. */
export class MonitoringProgram {
  readonly url: string;
  readonly #command: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(url: string, command: string, args: readonly string[]) {
    this.url = url;
    this.#command = command;
    this.#args = args;
    onTestFinished(() => this.kill());
  }

  /**
   * Configuration files are JSON here, which is YAML too. Alertmanager forgets an alert that is not sent to it again
   * within four times `resendDelay`.
   */
  static async prometheus(config: object, resendDelay = '1s'): Promise<MonitoringProgram> {
    const directory = temporaryDirectory();
    const port = await freePort();
    writeFileSync(join(directory, 'prometheus.yml'), JSON.stringify(config));
    const program = new MonitoringProgram(`http://127.0.0.1:${port}`, 'prometheus', [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      `--rules.alert.resend-delay=${resendDelay}`,
    ]);
    await program.start();
    return program;
  }

  static async alertmanager(config: object): Promise<MonitoringProgram> {
    const directory = temporaryDirectory();
    const port = await freePort();
    writeFileSync(join(directory, 'alertmanager.yml'), JSON.stringify(config));
    const program = new MonitoringProgram(`http://127.0.0.1:${port}`, 'prometheus-alertmanager', [
      `--config.file=${join(directory, 'alertmanager.yml')}`,
      `--storage.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ]);
    await program.start();
    return program;
  }

  async start(): Promise<void> {
    this.#child = spawn(this.#command, this.#args, { stdio: 'ignore' });
    for (let attempt = 0; attempt < 200; attempt++) {
      const answered = await fetch(`${this.url}/-/ready`).catch(() => undefined);
      if (answered?.ok) return;
      await sleep(100);
    }
    throw new Error(`${this.#command} does not start`);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  async get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.url}${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.json() as Promise<T>;
  }

  async post<T>(path: string, body: object): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  }

  async delete(path: string): Promise<void> {
    const response = await fetch(`${this.url}${path}`, { method: 'DELETE' });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  }
}
