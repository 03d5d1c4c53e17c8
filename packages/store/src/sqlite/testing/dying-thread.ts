import { parentPort, workerData } from 'node:worker_threads';

if (workerData instanceof Int32Array) workerData[0] = 1;

/** A thread that answers nothing and ends in the way it is asked to. */
parentPort!.on('message', ({ kind }: { kind: string }) => {
  if (kind === 'throw') throw new Error('thrown on purpose');
  if (kind === 'exit') process.exit(3);
});
