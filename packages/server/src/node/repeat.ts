/** Runs a task at intervals, but never twice at once. Returns a function that stops it. */
export function repeat(
  ms: number,
  task: () => Promise<void>,
  onFailure: (error: unknown) => void,
): () => void {
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
    } catch (error) {
      onFailure(error);
    }
    isRunning = false;
  };
  const timer = setInterval(run, ms).unref();
  return () => clearInterval(timer);
}
