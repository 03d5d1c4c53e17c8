import { expect, it, vi } from 'vitest';
import { type Gap, LineOutput } from './line-output.ts';

/** A sink that accepts lines while it works, synchronously or not. */
function startOutput({ isLate = false } = {}) {
  const state = { isWorking: true, lines: [] as string[], gaps: 0 };
  const output = new LineOutput({
    sink: {
      write(line, done) {
        const { isWorking } = state;
        if (isWorking) state.lines.push(line);
        const report = () => done(isWorking ? undefined : new Error('no room'));
        if (isLate) queueMicrotask(report);
        else report();
      },
    },
    lineOf: ({ count }: Gap) => `${count} lost`,
    onGap: () => state.gaps++,
  });
  return { output, state };
}

for (const isLate of [false, true]) {
  it(`counts lost lines and reports them with the next line, ${isLate ? 'asynchronously' : 'synchronously'}`, async () => {
    const { output, state } = startOutput({ isLate });
    output.write('a');
    state.isWorking = false;
    for (const line of ['b', 'c', 'd']) {
      output.write(line);
      await Promise.resolve();
    }
    expect(output.lostCount).toBe(3);
    state.isWorking = true;
    output.write('e');
    output.write('f');
    expect(state.lines).toEqual(['a', '3 lost', 'e', 'f']);
    expect(output.lostCount).toBe(3);
  });
}

it('counts only the lines that were lost of those that were written together', () => {
  const output = new LineOutput({
    sink: { write: (_, done) => done(new Error('no room'), 2) },
    lineOf: () => '',
  });
  output.write('a\nb\nc\nd\ne\n', 5);
  expect(output.lostCount).toBe(3);
  output.close();
});

it('returns whether a line was accepted, and reports a gap once', () => {
  const { output, state } = startOutput();
  expect(output.write('a')).toBe(true);
  state.isWorking = false;
  expect([output.write('b'), output.write('c')]).toEqual([false, false]);
  expect(state.gaps).toBe(1);
  state.isWorking = true;
  expect(output.write('d')).toBe(true);
  state.isWorking = false;
  expect(output.write('e')).toBe(false);
  expect(state.gaps).toBe(2);
  output.close();
});

it('reports a gap by itself when no further line comes', async () => {
  const { output, state } = startOutput();
  state.isWorking = false;
  output.write('a');
  state.isWorking = true;
  await vi.waitFor(() => expect(state.lines).toEqual(['1 lost']), 5_000);
});
