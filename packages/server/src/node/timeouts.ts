import type { Pace, Rest } from './slow-bodies.ts';

export interface Timeouts {
  /** For the head of a request to arrive. */
  readonly headMs: number;
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** For a client to take a part of its answer. */
  readonly stallMs: number;
  readonly body: Pace;
  readonly refusedRest: Rest;
}

export const timeouts: Timeouts = {
  headMs: 20_000,
  keepAliveMs: 65_000,
  stallMs: 60_000,
  body: { windowMs: 30_000, minBytes: 30 * 1024, checkMs: 1_000 },
  refusedRest: { maxMs: 30_000, maxBytes: 64 * 2 ** 20 },
};
