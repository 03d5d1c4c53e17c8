/** How long clients may take, and connections stay open. */
export const timeouts = {
  /** For the head of a request to arrive. */
  headMs: 20_000,
  /** Between two requests. */
  keepAliveMs: 65_000,
  /** For a client to take a part of its answer. */
  stallMs: 60_000,
  body: { windowMs: 30_000, minBytes: 30 * 1024, checkMs: 1_000 },
  refusedRest: { maxMs: 30_000, maxBytes: 64 * 2 ** 20 },
};
