import type { Call, Command } from '../../command/command.ts';
import { exitCodes } from '../../command/exit-codes.ts';
import { connect, connectionFlags, findConnection } from '../../connection/connection.ts';
import { collect, printRows, rowFlags } from '../../output/rows.ts';
import type { View } from '../../output/view.ts';
import { formatCount } from '../../terminal/format-numbers.ts';
import { Progress, watched } from '../../terminal/progress.ts';
import { version } from '../../version.ts';
import { Prober } from './prober.ts';
import type { Finding } from './question.ts';
import { questions, runProbe } from './run-probe.ts';

const defaultPauseMs = 100;

const view: View<Finding> = {
  columns: [
    { name: 'id', header: 'ID', value: (row) => row.id },
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
  nothing: 'no answers',
};

export const probe: Command = {
  name: 'probe',
  usage: 'URL STATION [FLAGS]',
  about:
    'Tests how a server of the interface behaves where the specification is silent, and compares it with ' +
    'Roster. Asks about 40 questions with slow, read-only requests (GET, HEAD, OPTIONS) and obeys ' +
    'Retry-After. ROSTER_TOKEN is not sent if ROSTER_SERVER names another server; the token of a context goes ' +
    'only to the server of that context.',
  takes: [2, 2],
  flags: {
    strict: {
      type: 'boolean',
      about: 'exit with 1 on any difference; undetermined answers do not count',
    },
    pause: {
      type: 'string',
      value: 'MS',
      about: `milliseconds between requests (default ${defaultPauseMs})`,
    },
    ...rowFlags(view.columns.map(({ name }) => name)),
    token: connectionFlags.token,
    timeout: connectionFlags.timeout,
  },
  examples: [
    ['roster probe https://monitor.example.com demo/sample/zone-1/station-1', 'compare a server with Roster'],
    ['roster probe http://127.0.0.1:8080 demo/sample/zone-1/station-1 --strict', 'as a test'],
  ],
  run: runProbeCommand,
};

async function runProbeCommand(call: Call): Promise<number> {
  const { given, terminal } = call;
  const prober = await openProber(call);
  const progress = new Progress(terminal, { title: 'Probing', total: () => questions.length });
  const findings = await collect(watched(runProbe(prober), progress, () => 1));
  await printRows(findings, view, call);
  const different = findings.filter(({ same }) => same === false).length;
  const unseen = findings.filter(({ same }) => same === null).length;
  await terminal.tell(
    `${formatCount(prober.requests)} requests: ${findings.length} questions, ${different} different from Roster, ` +
      `${unseen} undetermined`,
  );
  return given.isSet('strict') && different > 0 ? exitCodes.error : exitCodes.fine;
}

/** The first request goes through the client, whose errors explain a server that cannot be used at all. */
async function openProber(call: Call): Promise<Prober> {
  const { given, terminal, environment } = call;
  const [url = '', address = ''] = given.positionals;
  const connection = findConnection(call, url);
  const { server, token } = connection;
  if (token === undefined && environment.ROSTER_TOKEN) {
    await terminal.tell(
      'roster: ROSTER_TOKEN belongs to ROSTER_SERVER and is not sent; pass --token to send one',
    );
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
