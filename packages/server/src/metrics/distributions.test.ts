import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { Distributions } from './distributions.ts';

it('tells the same as a histogram of prom-client', async () => {
  const buckets = [0, 0.5, 1, 10, 1e6];
  const options = { name: 'a_seconds', help: 'Of \\ "a"\nand more.' };
  const value = fc.oneof(fc.constantFrom(...buckets), fc.double({ min: 0, max: 1e7, noNaN: true }));
  const observations = fc.array(fc.tuple(fc.constantFrom('x', 'y "\\\n'), value));
  await fc.assert(
    fc.asyncProperty(observations, async (observed) => {
      const ours = new Registry();
      const theirs = new Registry();
      const distributions = new Distributions<'of'>(ours, { ...options, bounds: buckets });
      const histogram = new Histogram({ ...options, labelNames: ['of'], buckets, registers: [theirs] });
      const byLabel = new Map<string, ReturnType<typeof distributions.add>>();
      for (const [of, seconds] of observed) {
        byLabel.getOrInsertComputed(of, () => distributions.add({ of })).observe(seconds);
        histogram.observe({ of }, seconds);
      }
      expect(sorted(await ours.metrics())).toEqual(sorted(await theirs.metrics()));
    }),
  );
});

/** The order of series and labels is free. */
function sorted(text: string): string[] {
  const lines = text.split('\n').map((line) => {
    const [, name, labels, value] = /^([a-z_]+)\{(.*)\} (\S+)$/.exec(line) ?? [];
    return name === undefined ? line : `${name} ${labels!.split(',').sort()} ${value}`;
  });
  return lines.sort();
}
