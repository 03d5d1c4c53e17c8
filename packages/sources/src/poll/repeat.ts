/**
 * Runs a task, which must not throw, at intervals, but never twice at once. Returns a function that stops it and waits
 * for what is under way.
 */
export function repeat(ms: number, task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= task().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(run, ms).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
