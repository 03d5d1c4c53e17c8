import type { CheckResult, Damage } from '@roster/store';
import type { Call, Command } from '../../command/command.ts';
import { CommandError } from '../../command/errors.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { plural } from '../../terminal/format-numbers.ts';
import { Progress } from '../../terminal/progress.ts';
import { chooseInventory, inventoryFlags } from './inventory-flags.ts';
import { hideArguments } from './inventory-url.ts';

export const check: Command = {
  name: 'check',
  usage: '[FLAGS]',
  about:
    'Verifies an inventory: the checksum of every row, the resource count of every station, the views and, on SQLite, ' +
    'the file structure. Read-only; may run beside a server (on SQLite, on the same machine). Reports damage ' +
    'and exits with 1, or exits with 0.',
  takes: [0, 0],
  flags: {
    ...inventoryFlags,
    ...valueFlags,
  },
  examples: [
    ['roster check', 'the inventory that roster serve would use here'],
    ['roster check --data /backup/roster -o json', 'a backup, for a script'],
    ['roster check --database @/run/secrets/database-url', 'an inventory in PostgreSQL'],
  ],
  run: runCheck,
};

async function runCheck(call: Call): Promise<void> {
  hideArguments('check');
  const location = await chooseInventory(call);
  const result = await withProgress(call, (callbacks) => location.check(callbacks));
  await printValue({ data: location.name, ...result }, () => render(location.name, result), call);
  const { damages } = result;
  if (damages.length > 0) {
    throw new CommandError(`${location.name} is damaged; see the operating guide for recovery`);
  }
}

interface Callbacks {
  onStart(resources: number): void;
  onChecked(resources: number): void;
}

async function withProgress<T>({ terminal }: Call, work: (callbacks: Callbacks) => Promise<T>): Promise<T> {
  let total: number | undefined;
  const rest = 'types and structure';
  const progress = new Progress(terminal, { title: 'Checking', rest, total: () => total });
  try {
    return await work({
      onStart(resources) {
        total = resources;
      },
      onChecked: (resources) => progress.add(resources),
    });
  } finally {
    progress.end();
  }
}

function render(name: string, result: CheckResult): string {
  const { stations, resources, pastVersions, types, views, damages } = result;
  const read = [
    plural(stations, 'station'),
    plural(resources, 'resource'),
    plural(pastVersions, 'past version'),
    plural(types, 'type'),
    plural(views, 'view'),
  ];
  const verdict = damages.length === 0 ? 'sound' : 'damaged';
  return `${[`${name}: ${read.join(', ')}, ${verdict}`, ...damages.map(describe)].join('\n')}\n`;
}

const subjects: Readonly<Record<Damage['kind'], string>> = {
  station: 'the station itself',
  resources: 'resources',
  history: 'history',
  types: 'resource types',
  views: 'views',
  database: 'database',
};

function describe({ kind, station, damaged, missing, ids, detail }: Damage): string {
  const parts = [
    damaged > 0 ? `${plural(damaged, 'row')} damaged` : undefined,
    missing > 0 ? `${missing} missing` : undefined,
    missing < 0 ? `${-missing} too many` : undefined,
    detail,
  ].filter((part) => part !== undefined);
  const named = ids.length === 0 ? '' : ` (${ids.join(', ')}${damaged > ids.length ? ', …' : ''})`;
  return `${station ?? 'inventory'}: ${subjects[kind]}: ${parts.join(', ')}${named}`;
}
