import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const folders = '{packages/*/src,bench/src,e2e,scripts}/**';
const isLong = process.env.ROSTER_TEST_LONG === 'true';

// Threads and processes that tests start find their modules compiled.
process.env.NODE_COMPILE_CACHE ??= path.join(os.tmpdir(), 'node-compile-cache');

export default defineConfig({
  test: {
    include: [isLong ? `${folders}/*.{long,scaled}.test.ts` : `${folders}/*.test.ts`],
    exclude: isLong ? [] : ['**/*.long.test.ts'],
    globalSetup: './testing/build-console.ts',
    pool: 'forks',
    // Most short files take less time than starting a process for each. Long ones measure their memory.
    isolate: isLong,
    // Tests often wait, long ones less so.
    maxWorkers: isLong ? 2 : 3,
    testTimeout: isLong ? 300_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './testing/count-reporter.ts'],
  },
});
