declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  /** The stream that a `COPY … FROM STDIN` reads its rows from. */
  export function from(sql: string): Writable & Submittable;
}
