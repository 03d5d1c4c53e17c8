import type { Plan, PlannedChange } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { exitCodes } from '../../command/exit-codes.ts';
import { explainPlannedRemoval } from '../../command/wire-to-flags.ts';
import { connectionFlags, openStationAnd } from '../../connection/connection.ts';
import { explainLeftAlone, explainNews } from '../../output/explain-write.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { renderChange } from '../../output/render-change.ts';
import { formatCount } from '../../terminal/format-numbers.ts';
import type { Paint } from '../../terminal/paint.ts';
import { reportRecordErrors } from './record-errors.ts';
import { openRecordFile, recordFileFlags, sendRecords } from './record-file.ts';

const defaultShown = 100;

export const diff: Command = {
  name: 'diff',
  usage: '[STATION] FILE|- [FLAGS]',
  about:
    'Shows what importing the file would change, without writing. Exits with 1 if there are differences, 0 if ' +
    'not.',
  takes: [1, 2],
  flags: {
    ...recordFileFlags,
    limit: {
      type: 'string',
      value: 'N',
      about: `show at most this many changes, up to 10000 (default ${defaultShown})`,
    },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    ['roster diff demo/lab/zone-1/gpus nodes.csv', 'what a merge would do'],
    ['roster diff inventory.yaml --mode replace', 'what a replace would do, removals included'],
    ['roster diff inventory.yaml -o json | jq .removed', 'for a script'],
  ],
  run: runDiff,
};

async function runDiff(call: Call): Promise<number> {
  const { terminal } = call;
  const { station, argument } = await openStationAnd(call);
  const file = await openRecordFile(argument, call);
  const maxChanges = call.given.count('limit') ?? defaultShown;
  const plan = (await reportRecordErrors(file, terminal, () =>
    sendRecords(station.manage, file, { dryRun: true, maxChanges }),
  )) as Plan;
  await printValue(plan, () => renderPlan(plan, terminal.paint), call);
  if (plan.refusal !== null) {
    await terminal.tell(
      `roster: the import would be refused: ${terminal.safe(explainPlannedRemoval(plan.refusal.detail))}`,
    );
  }
  return plan.total_changes > 0 ? exitCodes.error : exitCodes.fine;
}

async function renderPlan(plan: Plan, paint: Paint): Promise<string> {
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
  parts.push(...(await explainNews(plan)));
  const left = explainLeftAlone(plan);
  return `${[...lines, parts.join(', '), ...(left === '' ? [] : [left])].join('\n')}\n`;
}
