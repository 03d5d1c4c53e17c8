import type { Place } from '../ingest/place.ts';

/** Where the value of a setting came from. */
export type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'variable' | 'flag'; readonly name: string }
  | { readonly kind: 'file'; readonly file: string; readonly key: string; readonly place: Place };

/** As people find it. */
export function describeOrigin(origin: Origin): string {
  if (origin.kind === 'default') return 'default';
  if (origin.kind !== 'file') return origin.name;
  return `${origin.file}:${origin.place.line}:${origin.place.column}`;
}

/** A sentence whose subject is the setting, with where it was set. */
export function blame(origin: Origin, key: string, complaint: string): string {
  const subject =
    origin.kind === 'file' ? `${describeOrigin(origin)}: ${origin.key}` : describeOrigin(origin);
  return `${origin.kind === 'default' ? key : subject} ${complaint}`;
}
