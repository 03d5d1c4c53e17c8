import type { ChildProcess } from 'node:child_process';

/** Sends a message, if given, and resolves with the child's next one. Rejects if the child exits or fails. */
export async function askChild<T extends object>(child: ChildProcess, message?: object): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onMessage = (answer: T | { failed: string }) =>
    'failed' in answer ? reject(new Error(String(answer.failed))) : resolve(answer);
  const onExit = (code: number | null) => reject(new Error(`a benchmark server exited with code ${code}`));
  child.once('message', onMessage).once('exit', onExit);
  if (message !== undefined) child.send(message);
  try {
    return await promise;
  } finally {
    child.off('message', onMessage).off('exit', onExit);
  }
}
