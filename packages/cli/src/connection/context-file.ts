import { CommandError, fileReason, UsageError } from '../command/errors.ts';

const { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs');
const os = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');

/** A saved connection. */
export interface Context {
  readonly server: string;
  readonly token?: string;
  readonly station?: string;
}

export interface Config {
  /** Name of the current context. */
  readonly current?: string;
  readonly contexts: Readonly<Record<string, Context>>;
}

export function configFile(environment: NodeJS.ProcessEnv, platform = process.platform): string {
  const { XDG_CONFIG_HOME, APPDATA } = environment;
  const home = environment.HOME || os.homedir();
  const directory =
    XDG_CONFIG_HOME ||
    (platform === 'darwin' && path.join(home, 'Library', 'Application Support')) ||
    (platform === 'win32' && (APPDATA || path.join(home, 'AppData', 'Roaming'))) ||
    path.join(home, '.config');
  return path.join(directory, 'roster', 'config.json');
}

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const file = configFile(environment);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} };
    throw new CommandError(`cannot read ${file}: ${fileReason(error)}`, { cause: error });
  }
  const config = parseConfig(text);
  if (config === undefined)
    throw new CommandError(`${file} is not a valid roster configuration; fix or delete it`);
  return config;
}

/** Only the owner can read the file, which may hold tokens. It is never left half written. */
export function writeConfig(environment: NodeJS.ProcessEnv, config: Config): void {
  const file = configFile(environment);
  const temporary = `${file}.${process.pid}.tmp`;
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(temporary, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}

/** The named context, or the current one. */
export function findContext({ current, contexts }: Config, named: string | undefined): Context | undefined {
  const name = named ?? current;
  if (name === undefined) return undefined;
  if (Object.hasOwn(contexts, name)) return contexts[name];
  const known = Object.keys(contexts);
  const mistake = { given: name, known, otherwise: 'see roster context list' };
  throw new UsageError(`unknown context ${JSON.stringify(name)}`, mistake);
}

function parseConfig(text: string): Config | undefined {
  try {
    const config: Config = JSON.parse(text);
    const contexts = Object.values(config.contexts);
    const isConfig = contexts.every(({ server }) => typeof server === 'string');
    return isConfig ? config : undefined;
  } catch {
    return undefined;
  }
}
