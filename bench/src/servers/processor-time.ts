import { readFileSync } from 'node:fs';

/** Hundredths of a second since the system was started, of all processors. */
export interface ProcessorTime {
  readonly busy: number;
  /** CPU time that the host gave to other machines. */
  readonly stolen: number;
}

/** Undefined where the system has no /proc. */
export function readProcessorTime(): ProcessorTime | undefined {
  try {
    return parseProcessorTime(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return undefined;
  }
}

export function parseProcessorTime(text: string): ProcessorTime | undefined {
  const figures = /^cpu +([\d ]+)$/m.exec(text)?.[1]?.split(' ').map(Number) ?? [];
  const [user, nice, system, , , irq, softIrq, stolen] = figures;
  if (stolen === undefined) return undefined;
  return { busy: user! + nice! + system! + irq! + softIrq!, stolen };
}

/** The share of the requested CPU time that the host gave to other machines. */
export function stolenShare(before: ProcessorTime, after: ProcessorTime): number {
  const stolen = after.stolen - before.stolen;
  const wanted = after.busy - before.busy + stolen;
  return wanted === 0 ? 0 : stolen / wanted;
}
