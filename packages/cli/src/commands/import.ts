import type { Plan, WriteResult } from '@roster/client';
import type { Call, Command } from '../command.ts';
import { connectionFlags, openStationAnd } from '../connection.ts';
import { explainFaults } from '../faults.ts';
import { formatCount } from '../output/figures.ts';
import { printOne, valueFlags } from '../output/value.ts';
import { openRecordFile, recordFileFlags } from '../record-file.ts';
import { explainPlannedRemoval } from '../wire-words.ts';

export const importResources: Command = {
  name: 'import',
  usage: '[STATION] FILE|- [FLAGS]',
  about:
    'Writes the records of a file into a station, all of them or none. NDJSON, JSON, CSV and YAML are read by the ' +
    'server; files that end in .gz, .zst or .br are sent as they are. When records are wrong, each fault is told with ' +
    'its line and nothing is written.',
  takes: [1, 2],
  flags: {
    ...recordFileFlags,
    'dry-run': {
      type: 'boolean',
      about: 'write nothing, only count; roster diff shows the changes themselves',
    },
    create: { type: 'boolean', about: 'create the station if it is not there' },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster import demo/lab/zone-1/gpus nodes.csv --create', 'into a station that may not be there yet'],
    [
      'roster import inventory.ndjson.gz --mode replace',
      'the file is the whole truth; the station is ROSTER_STATION',
    ],
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
  const result = await explainFaults(file, terminal, () =>
    station.manage.write(file.input, { ...file.options, dryRun }),
  );
  await printOne(result, () => `${renderResult(result)}\n`, call);
  if ('refusal' in result && result.refusal !== null) {
    await terminal.tell(
      `roster: this would be refused: ${terminal.safe(explainPlannedRemoval(result.refusal.detail))}`,
    );
  }
}

function renderResult(result: WriteResult | Plan): string {
  const isPlan = 'dry_run' in result;
  const counts = (['created', 'updated', 'removed', 'unchanged'] as const)
    .map((kind) => `${formatCount(result[kind])} ${kind}`)
    .join(', ');
  const types = result.new_types?.length > 0 ? `; new types: ${result.new_types.join(', ')}` : '';
  const revision = isPlan
    ? `nothing written, planned for revision ${result.revision}`
    : `revision ${result.revision}`;
  return `${counts}${types} (${revision})`;
}
