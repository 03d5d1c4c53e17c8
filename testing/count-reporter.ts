import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that any tool can read, and fails it where a skip is not allowed. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) count.failed++;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') count[state]++;
        if (state === 'skipped') process.stdout.write(`skipped: ${test.fullName}\n`);
      }
    }
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
    if (count.skipped > 0 && process.env.CI === 'true') {
      process.stdout.write('A skipped test is a failure where CI=true.\n');
      process.exitCode = 1;
    }
  }
}
