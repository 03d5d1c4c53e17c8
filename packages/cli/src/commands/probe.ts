import { type Call, type Command, exitCodes } from '../command.ts';
import { connect, connectionFlags, findConnection } from '../connection.ts';
import { formatCount } from '../output/figures.ts';
import { Progress, watched } from '../output/progress.ts';
import { collect, printRows, rowFlags, type View } from '../output/rows.ts';
import type { Finding } from '../probe/point.ts';
import { Prober } from '../probe/prober.ts';
import { points, runProbe } from '../probe/run-probe.ts';
import { version } from '../version.ts';

const defaultPauseMs = 100;

const view: View<Finding> = {
  columns: [
    { name: 'id', header: 'POINT', value: (row) => row.id },
    { name: 'question', header: 'QUESTION', value: (row) => row.question, isWide: true },
    {
      name: 'finding',
      header: 'THIS SERVER',
      value: (row) => row.finding ?? '',
      show: (row) => row.finding ?? '?',
      style: (row) => (row.same === false ? 'yellow' : row.same === null ? 'dim' : undefined),
    },
    { name: 'ours', header: 'ROSTER', value: (row) => row.ours },
    {
      name: 'same',
      header: 'SAME',
      value: (row) => String(row.same ?? ''),
      show: (row) => (row.same === null ? '?' : row.same ? 'yes' : 'no'),
      style: (row) => (row.same === null ? 'dim' : row.same ? 'green' : 'yellow'),
    },
  ],
  nameOf: (row) => row.id,
  nothing: 'nothing was found out',
};

export const probe: Command = {
  name: 'probe',
  usage: 'URL STATION [FLAGS]',
  about:
    'Finds out how any server of the interface resolves what its document leaves open, and compares that with ' +
    'Roster. It reads only, with GET, HEAD and OPTIONS, asks about 40 questions slowly, and waits when the server ' +
    'asks for it. The token is that of --token or ROSTER_TOKEN. Where ROSTER_SERVER names another server, ROSTER_TOKEN ' +
    'is for that one and is not sent, and the token of a context goes to the server of the context only.',
  takes: [2, 2],
  flags: {
    strict: {
      type: 'boolean',
      about: 'exit with 1 when a point is different; what cannot be seen does not count',
    },
    pause: {
      type: 'string',
      value: 'MS',
      about: `wait this long between requests; ${defaultPauseMs} unless given`,
    },
    ...rowFlags(view.columns.map(({ name }) => name)),
    token: connectionFlags.token,
    timeout: connectionFlags.timeout,
  },
  examples: [
    ['roster probe https://monitor.example.com demo/sample/zone-1/station-1', 'how that server does it'],
    ['roster probe http://127.0.0.1:8080 demo/sample/zone-1/station-1 --strict', 'a test of a server'],
  ],
  run: runProbeCommand,
};

async function runProbeCommand(call: Call): Promise<number> {
  const { given, terminal } = call;
  const prober = await openProber(call);
  const progress = new Progress(terminal, { title: 'Probing', total: () => points.length });
  const findings = await collect(watched(runProbe(prober), progress, () => 1));
  await printRows(findings, view, call);
  const different = findings.filter(({ same }) => same === false).length;
  const unseen = findings.filter(({ same }) => same === null).length;
  await terminal.tell(
    `${formatCount(prober.requests)} requests: ${findings.length} points, ${different} different from Roster, ` +
      `${unseen} could not be seen`,
  );
  return given.isSet('strict') && different > 0 ? exitCodes.error : exitCodes.fine;
}

/** The first request goes through the client, which says well what is wrong when nothing works at all. */
async function openProber(call: Call): Promise<Prober> {
  const { given, terminal, environment } = call;
  const [url = '', address = ''] = given.positionals;
  const connection = findConnection(call, url);
  const { server, token } = connection;
  if (token === undefined && environment.ROSTER_TOKEN) {
    await terminal.tell('roster: ROSTER_TOKEN is for ROSTER_SERVER and is not sent; --token gives one');
  }
  const client = await connect(call, connection);
  const station = client.station(address);
  await station.list({ offset: 0, size: 1 });
  return new Prober({
    url: `${server}/monitor/ts/data/v1/${station.path}/resources`,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `roster/${version}`,
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    timeoutMs: (given.count('timeout') || 30) * 1000,
    pauseMs: given.count('pause') ?? defaultPauseMs,
  });
}
