import { type Token, tokensMadeBy } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { UsageError } from '../../command/errors.ts';
import { parseTime } from '../../command/read-time.ts';
import { connect, connectionFlags } from '../../connection/connection.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { readablePath } from '../../output/readable-path.ts';
import { printRows, rowFlags, sortRows } from '../../output/rows.ts';
import type { View } from '../../output/view.ts';

const roles = ['reader', 'writer', 'admin', 'source'] as const;

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
      header: 'EXPIRES (UTC)',
      value: ({ expires_at }) => expires_at ?? '',
      show: ({ expires_at }) => showMinute(expires_at, 'never'),
      style: ({ expires_at }) => (isPast(expires_at) ? 'dim' : undefined),
    },
    {
      name: 'last_used_at',
      header: 'LAST USED (UTC)',
      value: ({ last_used_at }) => last_used_at ?? '',
      show: ({ last_used_at }) => showMinute(last_used_at, 'never'),
    },
    {
      name: 'created_at',
      header: 'CREATED (UTC)',
      value: ({ created_at }) => created_at,
      show: ({ created_at }) => showMinute(created_at, ''),
      isWide: true,
    },
    { name: 'created_by', header: 'BY', value: ({ created_by }) => created_by, isWide: true },
  ],
  nameOf: ({ id }) => id,
  nothing: 'no tokens within your scopes',
};

export const tokenCreate: Command = {
  name: 'token create',
  usage: 'NAME --role ROLE --scope SCOPE [FLAGS]',
  about:
    'Creates an API token and prints it once. Its role, scopes and lifetime cannot exceed those of the token ' +
    'that creates it. NAME describes its purpose.',
  takes: [1, 1],
  flags: {
    role: {
      type: 'string',
      value: 'ROLE',
      choices: roles,
      about: 'reader, writer or admin, each including the previous one; or source, to send alerts only',
    },
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      about: "stations: 'subscriptions/acme/**', 'acme/gpu/zone-1/*', or '**' for all",
    },
    expires: {
      type: 'string',
      value: 'TIME',
      about: 'a lifetime, such as 90d, 12h or 30m, a date or time, or never (default 90d)',
    },
    ...valueFlags,
    ...connectionFlags,
  },
  examples: [
    ["roster token create dashboard --role reader --scope 'subscriptions/acme/**'", 'read-only access'],
    [
      "roster token create 'nightly import' --role writer --scope 'acme/gpu/zone-1/*' --expires 365d",
      'for a job that writes',
    ],
    ["TOKEN=$(roster token create ci --role writer --scope 'ci/**' --expires 1h)", 'in a script'],
  ],
  run: runCreate,
};

export const tokenList: Command = {
  name: 'token list',
  usage: '[FLAGS]',
  about: 'Lists the tokens within your scopes, oldest first. Never shows the secret tokens.',
  takes: [0, 0],
  flags: { ...rowFlags(view.columns.map(({ name }) => name)), ...connectionFlags },
  examples: [['roster token list --sort last_used_at', 'least recently used first']],
  async run(call) {
    const client = await connect(call);
    await printRows(sortRows(await client.manage.tokens(), view, call), view, call);
  },
};

export const tokenRevoke: Command = {
  name: 'token revoke',
  usage: 'ID [FLAGS]',
  about:
    'Revokes a token. Within five seconds every node rejects it and its watches end. Tokens created with it ' +
    'stay valid and are listed, unless --cascade is given. Refuses the last admin token for all stations ' +
    'unless --force is given: after that, only roster token recover restores access.',
  takes: [1, 1],
  flags: {
    cascade: { type: 'boolean', about: 'also revoke every token created with it, directly or not' },
    force: { type: 'boolean', about: 'revoke even the last admin token for all stations' },
    ...connectionFlags,
  },
  examples: [
    ['roster token revoke tok_k3v9x0a1bcde', 'by id, as in roster token list'],
    ['roster token revoke tok_k3v9x0a1bcde --cascade', 'a stolen token and everything created with it'],
  ],
  async run(call) {
    const [id = ''] = call.given.positionals;
    refuseTokenText(id);
    const client = await connect(call);
    const cascade = call.given.isSet('cascade');
    if (!call.given.isSet('force')) refuseLast(id, cascade, await client.manage.tokens());
    const { revoked, still_valid } = await client.manage.revokeToken(id, { cascade });
    const { terminal } = call;
    await terminal.tell(`revoked: ${terminal.safe(revoked.join(', '))}`);
    if (still_valid.length === 0) return;
    await terminal.tell(
      `still valid, created with it: ${terminal.safe(still_valid.join(', '))}; roster token revoke ID revokes one of them`,
    );
  },
};

export const tokenGenerate: Command = {
  name: 'token generate',
  usage: '',
  about:
    'Generates a token without contacting a server. A new server accepts it when started with ' +
    'ROSTER_BOOTSTRAP_TOKEN_FILE naming a file that holds it.',
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
  if (role === undefined) throw new UsageError(`--role is missing: pass one of ${roles.join(', ')}`);
  if (scopes.length === 0) {
    throw new UsageError("--scope is missing: pass a scope such as 'subscriptions/acme/**', or '**' for all");
  }
  await checkScopes(scopes);
  const life = await expiry(given.text('expires'));
  const client = await connect(call);
  const created = await client.manage.createToken({ name, role, scopes, ...life });
  const { id, expires_at, token } = created;
  await printValue(created, () => `${token}\n`, call);
  const until = expires_at === null ? 'does not expire' : `expires on ${showMinute(expires_at, '')}`;
  const what = role === 'admin' ? 'an admin' : `a ${role}`;
  await terminal.tell(`created: ${id}, ${what} token that ${until}; it is not shown again`);
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

/** Without the flag the server applies its default. */
async function expiry(given: string | undefined): Promise<{ expires_in?: string | null }> {
  if (given === undefined) return {};
  if (given === 'never') return { expires_in: null };
  const { limits, parseDuration } = await import('@roster/contract');
  const end = parseTime(given);
  const expiresIn = end === undefined ? given : `${Math.ceil((end.getTime() - Date.now()) / 1000)}s`;
  const lifeMs = parseDuration(expiresIn) ?? 0;
  if (lifeMs > 0 && lifeMs <= limits.maxTokenLifeMs) return { expires_in: expiresIn };
  throw new UsageError(
    '--expires must be a duration such as 90d, 12h or 30m, or a future date or time, at most 3650d away, or never, ' +
      `got ${JSON.stringify(given)}`,
  );
}

/** A token given as a name or an id would end up in logs and lists. */
function refuseTokenText(text: string): void {
  if (!text.startsWith('roster_')) return;
  throw new UsageError('this is the secret token itself; use its id, as shown by roster token list');
}

function refuseLast(id: string, cascade: boolean, tokens: readonly Token[]): void {
  const isFull = ({ role, scopes, expires_at }: Token) =>
    role === 'admin' && scopes.includes('**') && !isPast(expires_at);
  const made = cascade ? tokensMadeBy(id, tokens) : [];
  const going = new Set([id, ...made.map((token) => token.id)]);
  const full = tokens.filter(isFull);
  if (full.length === 0 || full.some((token) => !going.has(token.id))) return;
  throw new UsageError(
    `${full.map((token) => token.id).join(', ')} ${full.length === 1 ? 'is the last admin token' : 'are the last admin tokens'} ` +
      'for all stations; create another first, or pass --force: then only roster token recover restores access',
  );
}

function showMinute(time: string | null, otherwise: string): string {
  return time === null ? otherwise : time.slice(0, 16).replace('T', ' ');
}

function isPast(time: string | null): boolean {
  return time !== null && Date.parse(time) <= Date.now();
}
