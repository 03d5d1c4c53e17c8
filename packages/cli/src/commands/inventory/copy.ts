import {
  type CopyResult,
  copyInventory,
  type Difference,
  type InventoryLocation,
  type InventorySize,
  inventorySize,
  viewsToCopy,
} from '@roster/store';
import type { Call, Command } from '../../command/command.ts';
import { CommandError, UsageError } from '../../command/errors.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { plural } from '../../terminal/format-numbers.ts';
import { Progress } from '../../terminal/progress.ts';
import { hideArguments, locate } from './inventory-url.ts';

const maxShownDifferences = 20;

export const copy: Command = {
  name: 'copy',
  usage: '--from URL --to URL [FLAGS]',
  about:
    'Copies an inventory to another store: stations, resources, trends, types, API tokens and views. A URL is ' +
    'sqlite:DIRECTORY or postgres://user@host:5432/database; @FILE reads it from a file. Passwords may be in ' +
    'the URL, PGPASSWORD or ~/.pgpass, and are never shown.\n' +
    'The source is only read: stop the server on SQLite, and all writers on PostgreSQL. Afterwards the target ' +
    'is compared with the source by digest and counts. Stations are copied whole or not at all; resume an ' +
    'interrupted copy with --into-existing. Copied stations start a new history: clients holding an old ' +
    'revision get 410 and list again.',
  takes: [0, 0],
  flags: {
    from: { type: 'string', value: 'URL|@FILE', about: 'the inventory to copy' },
    to: {
      type: 'string',
      value: 'URL|@FILE',
      about: 'the target; created or migrated as needed',
    },
    'into-existing': {
      type: 'boolean',
      about: 'add to a target that is not empty; keep what it has',
    },
    replace: {
      type: 'boolean',
      about: 'like --into-existing, but overwrite stations, types and views that differ',
    },
    'without-tokens': { type: 'boolean', about: 'do not copy API tokens and their views' },
    ...valueFlags,
  },
  examples: [
    [
      'roster copy --from sqlite:/var/lib/roster/data --to postgres://roster@db.example/roster',
      'to PostgreSQL',
    ],
    ['roster copy --from @old-url --to @new-url --into-existing', 'resume an interrupted copy'],
    ['roster copy --from postgres://roster@db.example/roster --to sqlite:./data', 'back to SQLite'],
  ],
  run: runCopy,
};

async function runCopy(call: Call): Promise<void> {
  const { given } = call;
  hideArguments('copy');
  const from = await locate(given, 'from');
  const to = await locate(given, 'to');
  if (from.name === to.name) throw new UsageError(`--from and --to are both ${from.name}`);
  const { written, size } = await copyBetween(from, to, call);
  const { differences, ...copied } = written;
  const verified = differences.length === 0 ? size : null;
  const report = { from: from.name, to: to.name, copied, verified, differences };
  await printValue(report, () => renderReport(written, size), call);
  if (differences.length > 0) throw await reportDifferences(differences, call);
}

/** `size` is that of the source, as far as it was to be copied. */
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
      refuseExisting(await inventorySize(target), to, call);
      const existing = call.given.isSet('replace') ? 'replace' : 'keep';
      const written = await withProgress(resources, call, (callbacks) =>
        copyInventory({ from: source, to: target, existing, withTokens, ...callbacks }),
      );
      const tokens = withTokens ? rest.tokens : 0;
      const views = (await viewsToCopy(source, target)).length;
      return { written, size: { ...rest, resources, tokens, views } };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function refuseExisting(size: InventorySize, { name }: InventoryLocation, { given }: Call): void {
  const { stations, types, tokens, views } = size;
  if (stations + types + tokens + views === 0 || given.isSet('into-existing') || given.isSet('replace'))
    return;
  throw new CommandError(
    `${name} is not empty: it has ${renderSize(size)}; --into-existing adds to it, or resumes an interrupted copy; --replace also overwrites what differs`,
  );
}

interface Callbacks {
  onCopied(resources: number): void;
  onVerified(resources: number): void;
}

/** One progress bar for copying, one for verifying. */
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
      `${(error as Error).message}; stations copied so far are complete: resume with --into-existing`,
      { cause: error },
    );
  } finally {
    progress.end();
  }
}

function renderReport(written: CopyResult, size: InventorySize): string {
  const copied = `copied: ${renderSize(written)}\n`;
  if (written.differences.length > 0) return copied;
  return `${copied}verified: ${renderSize(size)} match the source\n`;
}

function renderSize({ stations, resources, types, tokens, views }: InventorySize): string {
  const parts = [plural(stations, 'station'), plural(resources, 'resource'), plural(types, 'type')];
  return [...parts, plural(tokens, 'token'), plural(views, 'view')].join(', ');
}

const reasons: Readonly<Record<Difference['reason'], string>> = {
  different: 'differs in the target',
  changed: 'changed in the source during the copy',
};

async function reportDifferences(
  differences: readonly Difference[],
  { terminal }: Call,
): Promise<CommandError> {
  for (const { kind, name, reason } of differences.slice(0, maxShownDifferences)) {
    await terminal.tell(terminal.safe(`${kind} ${name} ${reasons[reason]}`));
  }
  const more = differences.length - maxShownDifferences;
  if (more > 0) await terminal.tell(`and ${more} more`);
  return new CommandError(
    `${plural(differences.length, 'difference')} between source and target; --replace overwrites stations, types and views that differ`,
  );
}
