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

const result = await autocannon({
  url: slice.origin,
  connections: loadConnections,
  duration: slice.seconds,
  timeout: 60,
  headers: { ...slice.headers },
  setupClient(client) {
    const first = (start + Math.floor((clients++ * paths.length) / loadConnections)) % paths.length;
    client.setRequests([...paths.slice(first), ...paths.slice(0, first)].map((path) => ({ path })));
  },
});

const badStatus = result['4xx'] + result['5xx'];
if (result.errors > 0 || badStatus > 0) {
  throw new Error(`load on ${slice.origin} had ${result.errors} errors and ${badStatus} bad statuses`);
}
const answer: SliceResult = {
  requestsPerSecond: result.requests.total / result.duration,
  p99Ms: result.latency.p99,
};
process.stdout.write(JSON.stringify(answer));
