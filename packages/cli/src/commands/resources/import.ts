import type { Plan, StationClient, WriteResult } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { exitCodes } from '../../command/exit-codes.ts';
import { explainPlannedRemoval } from '../../command/wire-to-flags.ts';
import { connectionFlags, openStationAnd } from '../../connection/connection.ts';
import { explainLeftAlone, explainNews } from '../../output/explain-write.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { shortPath } from '../../output/resource-view.ts';
import { formatCount } from '../../terminal/format-numbers.ts';
import { reportRecordErrors } from './record-errors.ts';
import { openRecordFile, recordFileFlags, sendRecords } from './record-file.ts';

export const importResources: Command = {
  name: 'import',
  usage: '[STATION] FILE|- [FLAGS]',
  about:
    'Writes the records of a file (NDJSON, JSON, CSV or YAML) into a station: all of them or none. Files ' +
    'ending in .gz, .zst or .br are sent compressed. Every invalid record is reported with its line.',
  takes: [1, 2],
  flags: {
    ...recordFileFlags,
    'dry-run': {
      type: 'boolean',
      about: 'count the changes without writing; roster diff lists them',
    },
    create: {
      type: 'boolean',
      about:
        'create the station if it does not exist; a new one is deleted again if nothing could be written',
    },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster import demo/lab/zone-1/gpus nodes.csv --create', 'create the station if needed'],
    ['roster import inventory.ndjson.gz --mode replace', 'make the station match the file'],
    ['roster import states.ndjson --mode patch', 'change the states of existing resources'],
    ['my-exporter | roster import - --format ndjson', 'from another program'],
  ],
  run: runImport,
};

async function runImport(call: Call): Promise<number> {
  const { given, terminal } = call;
  const { station, argument } = await openStationAnd(call);
  const file = await openRecordFile(argument, call);
  if (given.isSet('create') && file.isPatch) {
    throw new UsageError(
      '--create cannot be combined with --mode patch, which only changes existing resources',
    );
  }
  const dryRun = given.isSet('dry-run');
  const send = () => reportRecordErrors(file, terminal, () => sendRecords(station.manage, file, { dryRun }));
  const result = await (given.isSet('create') && !dryRun ? sendToNew(station, send, call) : send());
  await printValue(result, () => renderResult(result), call);
  if (!('refusal' in result) || result.refusal === null) return exitCodes.fine;
  await terminal.tell(
    `roster: the import would be refused: ${terminal.safe(explainPlannedRemoval(result.refusal.detail))}`,
  );
  return exitCodes.error;
}

/** Creates the station if it does not exist. If nothing could be written, a new one is deleted again. */
async function sendToNew(
  station: StationClient,
  send: () => Promise<WriteResult | Plan>,
  { terminal }: Call,
): Promise<WriteResult | Plan> {
  const { created, station: view } = await station.manage.create();
  if (!created) return send();
  const path = terminal.safe(shortPath(view.station));
  const warning = `roster: ${path} is new and may have been left empty; roster station delete ${path} deletes it`;
  // Ctrl-C leaves no time to delete it. The first line ends the one that shows the progress.
  const warn = () => void terminal.tell(terminal.showsProgress ? `\n${warning}` : warning);
  process.once('exit', warn);
  try {
    return await send();
  } catch (error) {
    if (!(await deleteUnwritten(station, view.revision))) await terminal.tell(warning);
    throw error;
  } finally {
    process.off('exit', warn);
  }
}

/** Deletes the station unless someone has written into it; false if it may still be there, empty. */
async function deleteUnwritten({ manage }: StationClient, revision: string): Promise<boolean> {
  const { isNotFound, isRevisionMismatch } = await import('@roster/client');
  return manage.delete({ ifRevision: revision }).then(
    () => true,
    (error) => isRevisionMismatch(error) || isNotFound(error),
  );
}

async function renderResult(result: WriteResult | Plan): Promise<string> {
  const isPlan = 'dry_run' in result;
  const counts = (['created', 'updated', 'removed', 'unchanged'] as const)
    .map((kind) => `${formatCount(result[kind])} ${kind}`)
    .join(', ');
  const news = (await explainNews(result)).map((text) => `; ${text}`);
  const revision = isPlan
    ? `dry run at revision ${result.revision}, nothing written`
    : `revision ${result.revision}`;
  const left = explainLeftAlone(result);
  return `${[`${counts}${news.join('')} (${revision})`, ...(left === '' ? [] : [left])].join('\n')}\n`;
}
