import { RosterError, stationPath } from '@roster/contract';
import { parseDatabaseUrl } from '@roster/store';
import { createLogger, logToStandardError, standardErrorTaken } from '../log/standard-error.ts';
import type { Settings } from '../settings/all-settings.ts';
import { InvalidSettings } from '../settings/invalid-settings.ts';
import { type TracedSettings, traceSettings } from '../settings/read-settings.ts';
import { version } from '../version.ts';
import { reachableUrl } from './reachable-url.ts';
import { sampleAddress } from './sample/load-sample.ts';
import type { RunningRoster } from './serve.ts';
import { startRoster } from './start-roster.ts';

/** Leaves time to close the store before supervisors lose patience, mostly after ten seconds. */
const graceMs = 7_000;
const lastResortMs = 9_500;

/** For a slow reader of the log. */
const lastLinesMs = 500;

const ungreeted =
  'the greeting could not be printed; if it contained the first token, run `roster token recover`';

/** Runs the server as a program. Flags are by name, without dashes. */
export async function runServer(
  environment: NodeJS.ProcessEnv,
  flags: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    await serve(traceSettings({ environment, flags, directory: '.' }));
  } catch (error) {
    process.stderr.write(`${explain(error).replace(/^/gm, 'roster: ')}\n`);
    process.exit(1);
  }
}

async function serve({ settings, file }: TracedSettings): Promise<void> {
  const output = logToStandardError();
  const logger = createLogger(settings.logLevel, output);
  const roster = await startRoster(settings, logger, { lostLogLines: () => output.lostCount });
  process.stdout.on('error', (error) => logger.warn({ err: error }, ungreeted));
  process.stdout.write(greeting(roster, settings, file));
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), lastResortMs).unref();
    let code = 0;
    await roster.stop(graceMs).catch((error) => {
      logger.error({ err: error }, 'the server did not stop cleanly');
      code = 1;
    });
    await standardErrorTaken(lastLinesMs);
    process.exit(code);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

const tokenNote = '  The first admin token, shown this once; keep it safe:';

function greeting(
  { url, metricsUrl, hasSample, firstToken }: RunningRoster,
  { auth, database, data }: Settings,
  file: string | undefined,
): string {
  const home = reachableUrl(url);
  const list = `${home}/monitor/ts/data/v1/${stationPath(sampleAddress)}/resources?page.size=3`;
  const tryIt = hasSample && auth === 'off' ? `curl '${list}'` : `curl ${home}/readyz`;
  return [
    `Roster ${version} is listening on ${url}`,
    '',
    `  Try it   ${tryIt}`,
    `  Console  ${home}/`,
    `  Docs     ${home}/docs`,
    ...(metricsUrl === undefined ? [] : [`  Metrics  ${reachableUrl(metricsUrl)}`]),
    `  Data     ${database.url ? parseDatabaseUrl(database.url).server : data}`,
    ...(file === undefined ? [] : [`  Config   ${file}`]),
    ...(firstToken === undefined ? [] : ['', tokenNote, '', `  ${firstToken}`]),
    '',
    '',
  ].join('\n');
}

function explain(error: unknown): string {
  if (error instanceof InvalidSettings || error instanceof RosterError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
