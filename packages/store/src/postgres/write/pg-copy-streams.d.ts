declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  /** The input stream of a `COPY … FROM STDIN`. */
  export function from(sql: string): Writable & Submittable;
}
