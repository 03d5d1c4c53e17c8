import { execFileSync } from 'node:child_process';
import os from 'node:os';

export interface MachineFacts {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly commit: string | undefined;
}

export function machineFacts(): MachineFacts {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    commit: currentCommit(),
  };
}

function currentCommit(): string | undefined {
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['describe', '--always', '--dirty'], options).trim();
  } catch {
    return undefined;
  }
}
