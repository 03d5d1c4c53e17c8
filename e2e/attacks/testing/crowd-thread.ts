import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Asked } from '../../testing/load.ts';

const { asked, lanes } = workerData as { asked: readonly Asked[]; lanes: number };
/** Sooner than `Retry-After` says, but not so soon that refusals are all there is to do. */
const afterRefusalMs = () => 200 + Math.random() * 800;
const agent = new http.Agent({ keepAlive: true, maxSockets: lanes });
const counts: Record<string, number> = {};
let isOver = false;

parentPort!.once('message', () => {
  isOver = true;
  agent.destroy();
});
Promise.all(Array.from({ length: lanes }, (_, lane) => askOn(lane))).then(() =>
  parentPort!.postMessage(counts),
);

async function askOn(lane: number): Promise<void> {
  for (let at = lane; !isOver; at++) {
    const outcome = await ask(asked[at % asked.length]!);
    if (outcome !== '200') await delay(afterRefusalMs());
    if (!isOver) counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
}

function ask({ url, body, ...options }: Asked): Promise<string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    const request = http.request(url, { ...options, agent }, (response) => {
      response.resume().once('error', failed);
      response.once('end', () => resolve(String(response.statusCode)));
    });
    request.once('error', failed).end(body);
  });
}
