import type { Plan, PlannedChange } from '@roster/client';
import { type Call, type Command, exitCodes } from '../command.ts';
import { connectionFlags, openStationAnd } from '../connection.ts';
import { explainFaults } from '../faults.ts';
import { renderChange } from '../output/change.ts';
import { formatCount } from '../output/figures.ts';
import type { Paint } from '../output/paint.ts';
import { printOne, valueFlags } from '../output/value.ts';
import { openRecordFile, recordFileFlags } from '../record-file.ts';
import { explainPlannedRemoval } from '../wire-words.ts';

const defaultShown = 100;

export const diff: Command = {
  name: 'diff',
  usage: '[STATION] FILE|- [FLAGS]',
  about:
    'Shows what an import of the file would change, and writes nothing. Exits with 1 when there are differences and ' +
    'with 0 when there are none.',
  takes: [1, 2],
  flags: {
    ...recordFileFlags,
    limit: {
      type: 'string',
      value: 'N',
      about: `show at most this many changes, up to 10000; ${defaultShown} unless given`,
    },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster diff demo/lab/zone-1/gpus nodes.csv', 'what merging the file would do'],
    [
      'roster diff inventory.yaml --mode replace',
      'also what would be removed; the station is ROSTER_STATION',
    ],
    ['roster diff inventory.yaml -o json | jq .removed', 'for a script'],
  ],
  run: runDiff,
};

async function runDiff(call: Call): Promise<number> {
  const { terminal } = call;
  const { station, argument } = await openStationAnd(call);
  const file = await openRecordFile(argument, call);
  const maxChanges = call.given.count('limit') ?? defaultShown;
  const plan = await explainFaults(file, terminal, () =>
    station.manage.write(file.input, { ...file.options, dryRun: true, maxChanges }),
  );
  await printOne(plan, () => renderPlan(plan, terminal.paint), call);
  if (plan.refusal !== null) {
    await terminal.tell(
      `roster: an import would be refused: ${terminal.safe(explainPlannedRemoval(plan.refusal.detail))}`,
    );
  }
  return plan.total_changes > 0 ? exitCodes.error : exitCodes.fine;
}

export function renderPlan(plan: Plan, paint: Paint): string {
  const lines = plan.changes.flatMap((change: PlannedChange) => renderChange(change, paint));
  const hidden = plan.total_changes - plan.changes.length;
  if (hidden > 0) lines.push(paint('dim', `… and ${formatCount(hidden)} more; --limit shows them`));
  if (lines.length > 0) lines.push('');
  const parts = [
    paint(plan.created > 0 ? 'green' : undefined, `${formatCount(plan.created)} to create`),
    paint(plan.updated > 0 ? 'yellow' : undefined, `${formatCount(plan.updated)} to update`),
    paint(plan.removed > 0 ? 'red' : undefined, `${formatCount(plan.removed)} to remove`),
    `${formatCount(plan.unchanged)} unchanged`,
  ];
  if (plan.new_types?.length > 0) parts.push(`new types: ${plan.new_types.join(', ')}`);
  return `${[...lines, parts.join(', ')].join('\n')}\n`;
}
