import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../testing/temporary-directory.ts';

const isInstalled = ['prometheus', 'promtool'].every(
  (command) => spawnSync(command, ['--version']).status === 0,
);

/** In continuous integration nothing may be left out quietly, so there the tests run and fail. */
export const withPrometheus = it.skipIf(!isInstalled && !process.env.CI);
export const prometheusNote = isInstalled ? '' : ' (needs Prometheus: apt-get install prometheus)';

/** What promtool says. Throws when it finds fault. */
export function promtool(args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}: ${error ?? ''}${stdout}${stderr}`);
  return stdout + stderr;
}

export interface Sample {
  readonly metric: Record<string, string>;
  readonly value: [time: number, value: string];
}

/** A real Prometheus on a free port. Gone after the test. */
export class Prometheus {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  /** `config` is its configuration file, which is JSON here. */
  static async start(config: object): Promise<Prometheus> {
    const directory = temporaryDirectory();
    const file = join(directory, 'prometheus.yml');
    writeFileSync(file, JSON.stringify(config));
    const args = [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
    ];
    const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const exited = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exited;
    });
    const address = await new Promise<string>((resolve, reject) => {
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        const [, found] = /msg="Listening on" address=(\S+)/.exec(log) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once('error', reject);
      child.once('close', () => reject(new Error(`Prometheus ended: ${log}`)));
    });
    return new Prometheus(`http://${address}`);
  }

  async query(expression: string): Promise<Sample[]> {
    const response = await fetch(`${this.#url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    // While it starts.
    if (response.status === 503) return [];
    if (!response.ok) throw new Error(`${expression}: ${await response.text()}`);
    return ((await response.json()) as { data: { result: Sample[] } }).data.result;
  }
}
