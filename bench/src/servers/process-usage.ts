import { readFileSync, writeFileSync } from 'node:fs';

/** Linux reports CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** Resident bytes of a process, or undefined where the system has no /proc. */
export function readRss(processId: number): number | undefined {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(processId, 'status'))?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/** The largest number of resident bytes since `resetPeakRss`, or undefined where the system has no /proc. */
export function readPeakRss(processId: number): number | undefined {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readProc(processId, 'status'))?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

export function resetPeakRss(processId: number): void {
  try {
    writeFileSync(`/proc/${processId}/clear_refs`, '5');
  } catch {
    // Without /proc there is no peak to read either.
  }
}

/** Processor time of a process and all its threads so far, or undefined where the system has no /proc. */
export function readCpuSeconds(processId: number): number | undefined {
  const afterName = readProc(processId, 'stat').split(') ').at(-1) ?? '';
  const [user, system] = afterName.split(' ').slice(11, 13).map(Number);
  return user === undefined || system === undefined ? undefined : (user + system) / ticksPerSecond;
}

function readProc(processId: number, file: string): string {
  try {
    return readFileSync(`/proc/${processId}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
