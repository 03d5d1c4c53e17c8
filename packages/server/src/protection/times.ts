import type { Pace } from './body-paces.ts';

export interface Times {
  /** For the head of a request to arrive. */
  readonly headMs: number;
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** For a client to take a part of its answer. */
  readonly stallMs: number;
  readonly body: Pace;
}

export const times: Times = {
  headMs: 20_000,
  keepAliveMs: 65_000,
  stallMs: 60_000,
  body: { windowMs: 30_000, minBytes: 30 * 1024, checkMs: 1_000 },
};
