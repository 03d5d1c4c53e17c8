import type { ChildProcess } from 'node:child_process';

/** The next message a child sends, after handing it one if given. Rejects when the child ends or reports a failure. */
export async function askChild<T extends object>(child: ChildProcess, message?: object): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onMessage = (answer: T | { failed: string }) =>
    'failed' in answer ? reject(new Error(String(answer.failed))) : resolve(answer);
  const onExit = (code: number | null) => reject(new Error(`a server of the benchmark ended, code ${code}`));
  child.once('message', onMessage).once('exit', onExit);
  if (message !== undefined) child.send(message);
  try {
    return await promise;
  } finally {
    child.off('message', onMessage).off('exit', onExit);
  }
}
