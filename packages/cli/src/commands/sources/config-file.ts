import { nearestName } from '@roster/contract';
import { InvalidSettings, readConfigText } from '@roster/server';
import type { Call } from '../../command/command.ts';
import { CommandError, UsageError } from '../../command/errors.ts';
import { writeFileAtomically } from '../../output/write-file-atomically.ts';
import { givenConfig, readServerSettings } from '../server/server-settings.ts';
import { withLock } from './with-lock.ts';

interface ConfigFile {
  readonly file: string;
  readonly text: string;
  /** Those of the file, which the environment may override. */
  readonly names: readonly string[];
}

/** Edits the configuration file; other commands that would wait. Resolves to its path. */
export async function editConfig(call: Call, edit: (config: ConfigFile) => string): Promise<string> {
  const { file } = await openConfig(call);
  await withLock(file, async () => {
    const config = await openConfig(call);
    await saveConfig(
      call,
      file,
      explained(() => edit(config)),
    );
  });
  return file;
}

/** The configuration file, which must be valid as it is. */
async function openConfig(call: Call): Promise<ConfigFile> {
  // What the environment says of sources does not stand in the file.
  const { ROSTER_SOURCES: _, ...environment } = call.environment;
  const { file, settings } = await readServerSettings({ ...call, environment }, givenConfig(call));
  if (file === undefined) {
    throw new UsageError('there is no ./roster.yaml; name the configuration file with --config');
  }
  return {
    file,
    text: explained(() => readConfigText(file)),
    names: settings.sources.map(({ name }) => String(name)),
  };
}

/** Writes the file if `roster config check` would accept it. */
async function saveConfig(call: Call, file: string, text: string): Promise<void> {
  await readServerSettings(call, { config: file }, text);
  await writeFileAtomically(chunksOf(text), file);
  const { terminal, environment } = call;
  if (environment.ROSTER_SOURCES?.trim())
    await terminal.tell('roster: ROSTER_SOURCES is set and overrides the sources of the file');
}

export function noSource(name: string, all: readonly { readonly name: string }[]): UsageError {
  const names = all.map((source) => source.name);
  if (names.length === 0) return new UsageError('the settings have no sources; see docs/guide/live-list.md');
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `there are ${names.join(', ')}` : `did you mean ${nearest}?`;
  return new UsageError(`there is no source ${name}; ${hint}`);
}

/** Errors of the file are for its author. */
function explained(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    throw new CommandError(error.errors.join('\n'), { cause: error });
  }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
