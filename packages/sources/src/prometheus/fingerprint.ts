import { createHash } from 'node:crypto';
import type { Labels } from '../http/shape.ts';

/** The same for equal labels, whatever their order. */
export function fingerprintOf(labels: Labels): string {
  const sorted = Object.keys(labels)
    .sort()
    .map((name) => [name, labels[name]]);
  return createHash('sha1').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}
