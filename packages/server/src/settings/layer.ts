import { readFileSync } from 'node:fs';
import { quote } from '@roster/contract';
import { type Entry, entries, entryOf } from './entries.ts';
import { findMisfit } from './find-misfit.ts';
import { blame, describeOrigin, type Origin } from './origin.ts';

interface Given {
  /** Undefined where it was wrong. */
  readonly value: unknown;
  readonly origin: Origin;
}

/** What one place sets, by key: a file, the environment or the flags. */
export type Layer = Map<string, Given>;

/** What is wrong with a value, and with which of its parts. */
export interface ValueFault {
  readonly complaint: string;
  readonly part: readonly string[];
}

export function findFault({ schema }: Entry, value: unknown, shown: unknown = value): ValueFault | undefined {
  const { allowed, check, isSecret } = schema.setting;
  const part = findMisfit(schema, value);
  if (part === undefined) {
    const complaint = check?.(value);
    return complaint === undefined ? undefined : { complaint, part: [] };
  }
  const got = part.length === 0 ? shown : partOf(value, part);
  return { complaint: `must be ${allowed}${isSecret ? '' : `, got ${quote(got)}`}`, part };
}

function partOf(value: unknown, part: readonly string[]): unknown {
  return part.reduce((inner, step) => (inner as Record<string, unknown>)[step], value);
}

/** Puts the text of secrets in, where a layer names the files that have them. */
export function readSecrets(layer: Layer, faults: string[]): void {
  for (const { key, secretKey } of entries) {
    const named = layer.get(key);
    if (secretKey === undefined || named?.value === undefined) continue;
    const direct = layer.get(secretKey);
    if (direct !== undefined) {
      faults.push(
        `${describeOrigin(direct.origin)} and ${describeOrigin(named.origin)} both set ${secretKey}; keep one`,
      );
      continue;
    }
    const value = readSecret(String(named.value), (complaint) =>
      faults.push(blame(named.origin, key, complaint)),
    );
    const fault = value === undefined ? undefined : findFault(entryOf.get(secretKey)!, value);
    if (fault !== undefined)
      faults.push(blame(named.origin, key, `names a file whose text ${fault.complaint}`));
    layer.set(secretKey, { value: fault === undefined ? value : undefined, origin: named.origin });
  }
}

function readSecret(file: string, complain: (complaint: string) => void): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '') return text;
    complain(`names ${quote(file)}, which is empty`);
  } catch (error) {
    complain(`names ${quote(file)}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return undefined;
}
