import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { type LoadSlice, loadConnections, type SliceResult } from './load-slice.ts';

/** Child process: `autocannon-program.ts <slice as JSON>`. Prints the result as JSON. */
const slice = JSON.parse(process.argv[2] ?? '{}') as LoadSlice;

const paths =
  'path' in slice.target
    ? [slice.target.path]
    : readFileSync(slice.target.pathsFile, 'utf8').trimEnd().split('\n');
const start = 'start' in slice.target ? slice.target.start : 0;
let clients = 0;

/** Each connection cycles through some of the paths, because preparing all of them takes too long. */
function shareOf(client: number): string[] {
  if (paths.length < loadConnections) return paths;
  const length = Math.floor(paths.length / loadConnections);
  const first = client * length;
  const turn = start % length;
  const share = paths.slice(first, first + length);
  return [...share.slice(turn), ...share.slice(0, turn)];
}

const result = await autocannon({
  url: slice.origin,
  connections: loadConnections,
  duration: slice.seconds,
  sampleInt: 100,
  timeout: 60,
  headers: { ...slice.headers },
  setupClient(client) {
    client.setRequests(shareOf(clients++).map((path) => ({ path })));
  },
});

const badStatus = result['4xx'] + result['5xx'];
if (result.errors > 0 || badStatus > 0) {
  throw new Error(`load on ${slice.origin} had ${result.errors} errors and ${badStatus} bad statuses`);
}
const answer: SliceResult = {
  requests: result.requests.total,
  requestsPerSecond: result.requests.total / ((result.finish.getTime() - result.start.getTime()) / 1000),
  p99Ms: result.latency.p99,
};
process.stdout.write(JSON.stringify(answer));
