import type { Token } from '@roster/client';
import type { Call, Command } from '../command.ts';
import { connect, connectionFlags } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { printRows, rowFlags, sortRows, type View } from '../output/rows.ts';
import { printOne, valueFlags } from '../output/value.ts';
import { readablePath } from '../readable-path.ts';

const roles = ['reader', 'writer', 'admin'] as const;

const view: View<Token> = {
  columns: [
    { name: 'id', header: 'ID', value: ({ id }) => id },
    { name: 'name', header: 'NAME', value: ({ name }) => name },
    { name: 'role', header: 'ROLE', value: ({ role }) => role },
    {
      name: 'scopes',
      header: 'SCOPES',
      value: ({ scopes }) => scopes.join(' '),
      show: ({ scopes }) => scopes.map(readablePath).join(', '),
    },
    {
      name: 'expires_at',
      header: 'EXPIRES',
      value: ({ expires_at }) => expires_at ?? '',
      show: ({ expires_at }) => showTime(expires_at, 'never'),
      style: ({ expires_at }) => (isPast(expires_at) ? 'dim' : undefined),
    },
    {
      name: 'last_used_at',
      header: 'LAST USED',
      value: ({ last_used_at }) => last_used_at ?? '',
      show: ({ last_used_at }) => showTime(last_used_at, 'never'),
    },
    { name: 'created_at', header: 'CREATED', value: ({ created_at }) => created_at, isWide: true },
    { name: 'created_by', header: 'BY', value: ({ created_by }) => created_by, isWide: true },
  ],
  nameOf: ({ id }) => id,
  nothing: 'there are no tokens within your scopes',
};

export const tokenCreate: Command = {
  name: 'token create',
  usage: 'NAME --role ROLE --scope SCOPE [FLAGS]',
  about:
    'Creates an API token and prints it, this once. It can have no more than the token that makes it: no higher role, ' +
    'no wider scope, no longer life. NAME says what it is for.',
  takes: [1, 1],
  flags: {
    role: {
      type: 'string',
      value: 'ROLE',
      choices: roles,
      about: `${roles.join(', ')}; each includes those before it`,
    },
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      about: "which stations: 'subscriptions/acme/**', 'acme/gpu/zone-1/*', or '**' for all",
    },
    expires: {
      type: 'string',
      value: 'TIME',
      about: 'how long it lives, such as 90d, 12h or 30m, or never; 90d unless given',
    },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    ["roster token create dashboard --role reader --scope 'subscriptions/acme/**'", 'for whoever reads'],
    [
      "roster token create 'nightly import' --role writer --scope 'acme/gpu/zone-1/*' --expires 365d",
      'for a program that writes',
    ],
    ["TOKEN=$(roster token create ci --role writer --scope 'ci/**' --expires 1h)", 'in a script'],
  ],
  run: runCreate,
};

export const tokenList: Command = {
  name: 'token list',
  usage: '[FLAGS]',
  about:
    'Lists the tokens whose scopes are within your own, oldest first. The tokens themselves are never shown.',
  takes: [0, 0],
  flags: { ...rowFlags(view.columns.map(({ name }) => name)), ...connectionFlags },
  examples: [['roster token list --sort last_used_at', 'those that nobody uses first']],
  async run(call) {
    const client = await connect(call);
    await printRows(sortRows(await client.manage.tokens(), view, call), view, call);
  },
};

export const tokenRevoke: Command = {
  name: 'token revoke',
  usage: 'ID [FLAGS]',
  about:
    'Revokes a token. Within five seconds no node accepts it, and what it watches ends. The last admin token over all ' +
    'stations stays unless --force is given: without one, only roster token recover leads back in.',
  takes: [1, 1],
  flags: {
    force: { type: 'boolean', about: 'even if it is the last admin token over all stations' },
    ...connectionFlags,
  },
  examples: [['roster token revoke tok_k3v9x0a1bcde', 'by its id, as roster token list shows it']],
  async run(call) {
    const [id = ''] = call.given.positionals;
    refuseTokenText(id);
    const client = await connect(call);
    if (!call.given.isSet('force')) refuseLast(id, await client.manage.tokens());
    await client.manage.revokeToken(id);
    await call.terminal.tell(`revoked: ${call.terminal.safe(id)}`);
  },
};

export const tokenGenerate: Command = {
  name: 'token generate',
  usage: '',
  about:
    'Makes up the text of a token and prints it. No server is asked, and none accepts it until a new server is started ' +
    'with it: put it into the file that ROSTER_BOOTSTRAP_TOKEN_FILE names.',
  takes: [0, 0],
  flags: {},
  examples: [['roster token generate > admin-token', 'for the first start of a server']],
  async run({ terminal }) {
    const { makeTokenText } = await import('@roster/server');
    await terminal.print(`${makeTokenText()}\n`);
  },
};

async function runCreate(call: Call): Promise<void> {
  const { given, terminal } = call;
  const [name = ''] = given.positionals;
  refuseTokenText(name);
  const role = roles.find((each) => each === given.text('role'));
  const scopes = given.all('scope');
  if (role === undefined) throw new UsageError(`which role? Give --role, one of ${roles.join(', ')}`);
  if (scopes.length === 0) {
    throw new UsageError("which stations? Give --scope, such as 'subscriptions/acme/**', or '**' for all");
  }
  await checkScopes(scopes);
  const life = await expiry(given.text('expires'));
  const client = await connect(call);
  const created = await client.manage.createToken({ name, role, scopes, ...life });
  const { id, expires_at, token } = created;
  await printOne(created, () => `${token}\n`, call);
  const until = expires_at === null ? 'does not expire' : `expires on ${showTime(expires_at, '')}`;
  await terminal.tell(`created: ${id}, a ${role}, which ${until}; the token is shown this once`);
}

async function checkScopes(scopes: readonly string[]): Promise<void> {
  const { parseScope, RosterError } = await import('@roster/contract');
  for (const scope of scopes) {
    try {
      parseScope(scope);
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      throw new UsageError(`--scope: ${error.message}`);
    }
  }
}

/** The server knows what is usual. */
async function expiry(given: string | undefined): Promise<{ expires_in?: string | null }> {
  if (given === undefined) return {};
  if (given === 'never') return { expires_in: null };
  const { limits, parseDuration } = await import('@roster/contract');
  const lifeMs = parseDuration(given) ?? 0;
  if (lifeMs > 0 && lifeMs <= limits.maxTokenLifeMs) return { expires_in: given };
  throw new UsageError(
    `--expires is a time such as 90d, 12h or 30m, at most 3650d, or never, got ${JSON.stringify(given)}`,
  );
}

/** Where a name is meant, a token would be sent on, shown and kept. */
function refuseTokenText(text: string): void {
  if (!text.startsWith('roster_')) return;
  throw new UsageError('this is a token itself; tokens are named by their id, as roster token list shows it');
}

function refuseLast(id: string, tokens: readonly Token[]): void {
  const full = tokens.filter(
    ({ role, scopes, expires_at }) => role === 'admin' && scopes.includes('**') && !isPast(expires_at),
  );
  if (full.length !== 1 || full[0]!.id !== id) return;
  throw new UsageError(
    `${id} is the last admin token over all stations; make another first, or give --force, after which only ` +
      'roster token recover leads back in',
  );
}

function showTime(time: string | null, otherwise: string): string {
  return time === null ? otherwise : time.slice(0, 16).replace('T', ' ');
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now();
}
