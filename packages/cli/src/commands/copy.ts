import {
  type CopyResult,
  copyInventory,
  type Difference,
  type InventoryLocation,
  type InventorySize,
  inventorySize,
} from '@roster/store';
import type { Call, Command } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import { hideWords, locate } from '../inventory-url.ts';
import { plural } from '../output/figures.ts';
import { Progress } from '../output/progress.ts';
import { printOne, valueFlags } from '../output/value.ts';

const maxToldDifferences = 20;

export const copy: Command = {
  name: 'copy',
  usage: '--from URL --to URL [FLAGS]',
  about:
    'Copies an inventory from one store to another: stations, resources, types and API tokens. A URL is ' +
    'sqlite:DIRECTORY or postgres://user@host:5432/database; @FILE takes it from a file. A password may be in the ' +
    'URL, in PGPASSWORD or in ~/.pgpass, and is never shown.\n' +
    'The source is only read. SQLite must not be in use by a server; on PostgreSQL, stop what writes to it. In the ' +
    'end everything in the target is read again and compared with the source, by the digest and the counts of each ' +
    'station. A station is written as a whole or stays empty, so a copy that broke off is repeated with ' +
    '--into-existing. Copied stations begin a new history: clients that hold a revision of the old one get 410 and ' +
    'list again.',
  takes: [0, 0],
  flags: {
    from: { type: 'string', value: 'URL|@FILE', about: 'the inventory to copy' },
    to: {
      type: 'string',
      value: 'URL|@FILE',
      about: 'where to; it is created or brought up to date as needed',
    },
    'into-existing': {
      type: 'boolean',
      about: 'into a target that is not empty; what it has already stays as it is',
    },
    replace: {
      type: 'boolean',
      about: 'the same, and stations and types that differ become what they are in the source',
    },
    'without-tokens': { type: 'boolean', about: 'leave the API tokens out' },
    ...valueFlags,
  },
  examples: [
    [
      'roster copy --from sqlite:/var/lib/roster/data --to postgres://roster@db.example/roster',
      'to PostgreSQL',
    ],
    ['roster copy --from @old-url --to @new-url --into-existing', 'go on with a copy that broke off'],
    ['roster copy --from postgres://roster@db.example/roster --to sqlite:./data', 'back to one file'],
  ],
  run: runCopy,
};

async function runCopy(call: Call): Promise<void> {
  const { given } = call;
  hideWords('copy');
  const from = await locate(given, 'from');
  const to = await locate(given, 'to');
  if (from.name === to.name) throw new UsageError(`--from and --to are both ${from.name}`);
  const { written, size } = await copyBetween(from, to, call);
  const { differences, ...copied } = written;
  const verified = differences.length === 0 ? size : null;
  const report = { from: from.name, to: to.name, copied, verified, differences };
  await printOne(report, () => renderReport(written, size), call);
  if (differences.length > 0) throw await tellDifferences(differences, call);
}

/** `size` is that of the source. */
async function copyBetween(
  from: InventoryLocation,
  to: InventoryLocation,
  call: Call,
): Promise<{ written: CopyResult; size: InventorySize }> {
  const source = await from.open({ readOnly: true });
  try {
    const target = await to.open();
    try {
      const { resources, ...rest } = await inventorySize(source);
      const withTokens = !call.given.isSet('without-tokens');
      const size = { ...rest, resources, tokens: withTokens ? rest.tokens : 0 };
      refuseExisting(await inventorySize(target), to, call);
      const existing = call.given.isSet('replace') ? 'replace' : 'keep';
      const written = await withProgress(resources, call, (callbacks) =>
        copyInventory({ from: source, to: target, existing, withTokens, ...callbacks }),
      );
      return { written, size };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function refuseExisting(size: InventorySize, { name }: InventoryLocation, { given }: Call): void {
  const { stations, types, tokens } = size;
  if (stations + types + tokens === 0 || given.isSet('into-existing') || given.isSet('replace')) return;
  throw new CommandError(
    `${name} is not empty, it has ${renderSize(size)}; --into-existing adds to that, and goes on with a copy that ` +
      'broke off',
  );
}

interface Callbacks {
  onCopied(resources: number): void;
  onVerified(resources: number): void;
}

/** One bar for each of the two parts of the work. */
async function withProgress<T>(
  total: number,
  { terminal }: Call,
  work: (callbacks: Callbacks) => Promise<T>,
): Promise<T> {
  const start = (title: string, rest: string) => new Progress(terminal, { title, rest, total: () => total });
  let progress = start('Copying', 'being written');
  let isVerifying = false;
  try {
    return await work({
      onCopied: (resources) => progress.add(resources),
      onVerified(resources) {
        if (!isVerifying) {
          progress.end();
          progress = start('Verifying', 'being compared');
          isVerifying = true;
        }
        progress.add(resources);
      },
    });
  } catch (error) {
    throw new CommandError(
      `${(error as Error).message}; what has been copied is whole: repeat it with --into-existing to go on`,
      { cause: error },
    );
  } finally {
    progress.end();
  }
}

function renderReport(written: CopyResult, size: InventorySize): string {
  const copied = `copied: ${renderSize(written)}\n`;
  if (written.differences.length > 0) return copied;
  return `${copied}verified: ${renderSize(size)} of the source are the same in the target\n`;
}

function renderSize({ stations, resources, types, tokens }: InventorySize): string {
  const parts = [plural(stations, 'station'), plural(resources, 'resource'), plural(types, 'type')];
  return `${parts.join(', ')}, ${plural(tokens, 'token')}`;
}

const reasons: Readonly<Record<Difference['reason'], string>> = {
  different: 'is not the same in the target',
  changed: 'has changed in the source meanwhile',
};

async function tellDifferences(
  differences: readonly Difference[],
  { terminal }: Call,
): Promise<CommandError> {
  for (const { kind, name, reason } of differences.slice(0, maxToldDifferences)) {
    await terminal.tell(terminal.safe(`${kind} ${name} ${reasons[reason]}`));
  }
  const more = differences.length - maxToldDifferences;
  if (more > 0) await terminal.tell(`and ${more} more`);
  return new CommandError(
    `${plural(differences.length, 'difference')} between source and target; --replace makes stations and types what ` +
      'they are in the source',
  );
}
