import { readFileSync } from 'node:fs';

/** Resident bytes of a process, or undefined where the system has no /proc. */
export function readRss(processId: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
