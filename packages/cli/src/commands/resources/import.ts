import type { Plan, WriteResult } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { explainPlannedRemoval } from '../../command/wire-to-flags.ts';
import { connectionFlags, openStationAnd } from '../../connection/connection.ts';
import { explainLeftAlone, explainNews } from '../../output/explain-write.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
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
    create: { type: 'boolean', about: 'create the station if it does not exist' },
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

async function runImport(call: Call): Promise<void> {
  const { given, terminal } = call;
  const { station, argument } = await openStationAnd(call);
  const file = await openRecordFile(argument, call);
  const dryRun = given.isSet('dry-run');
  if (given.isSet('create') && !dryRun) await station.manage.create();
  const result = await reportRecordErrors(file, terminal, () =>
    sendRecords(station.manage, file, { dryRun }),
  );
  await printValue(result, () => `${renderResult(result)}\n`, call);
  if ('refusal' in result && result.refusal !== null) {
    await terminal.tell(
      `roster: the import would be refused: ${terminal.safe(explainPlannedRemoval(result.refusal.detail))}`,
    );
  }
}

function renderResult(result: WriteResult | Plan): string {
  const isPlan = 'dry_run' in result;
  const counts = (['created', 'updated', 'removed', 'unchanged'] as const)
    .map((kind) => `${formatCount(result[kind])} ${kind}`)
    .join(', ');
  const news = explainNews(result).map((text) => `; ${text}`);
  const revision = isPlan
    ? `dry run at revision ${result.revision}, nothing written`
    : `revision ${result.revision}`;
  const left = explainLeftAlone(result);
  return [`${counts}${news.join('')} (${revision})`, ...(left === '' ? [] : [left])].join('\n');
}
