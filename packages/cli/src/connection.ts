import type { ClientOptions, RosterClient, StationClient } from '@roster/client';
import type { Call, Flags } from './command.ts';
import { findContext, readConfig } from './config.ts';
import { UsageError } from './errors.ts';
import { httpFetch } from './http-fetch.ts';
import { readToken } from './read-token.ts';
import { isServerUrl, readServerUrl } from './server-url.ts';
import { version } from './version.ts';

const defaultServer = 'http://127.0.0.1:8080';

export const connectionFlags = {
  server: {
    type: 'string',
    value: 'URL',
    about: `where the server is; else ROSTER_SERVER, the context, ${defaultServer}`,
  },
  token: {
    type: 'string',
    value: 'TOKEN|@FILE|-',
    about: 'bearer token, from a file or standard input if you like; else ROSTER_TOKEN, the context',
  },
  context: {
    type: 'string',
    value: 'NAME',
    about: 'a named connection; else ROSTER_CONTEXT, the one in use',
  },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    about: 'how long an answer may take; 30 unless given, 0 is for ever',
  },
  language: { type: 'string', value: 'TAG', about: 'language of the type labels, such as zh-CN' },
} as const satisfies Flags;

export interface Connection {
  /** Begins with `http://` or `https://`, and has no slash at its end. */
  readonly server: string;
  readonly token: string | undefined;
  /** The station of the context, where it has one. */
  readonly station: string | undefined;
}

/**
 * A flag wins over the environment, and the environment over the context that is in use. The token of a context
 * goes to the server of that context only. `url` is a server that an argument names, which may be a stranger: where
 * the environment names another one, the token of the environment is for that.
 */
export function findConnection({ given, environment }: Call, url?: string): Connection {
  const named = given.text('context');
  const context = findContext(readConfig(environment), named ?? nonEmpty(environment.ROSTER_CONTEXT));
  const environmentServer = nonEmpty(environment.ROSTER_SERVER);
  const server =
    readUrl(url, 'the URL') ??
    readUrl(given.text('server'), '--server') ??
    readUrl(named ? undefined : environmentServer, 'ROSTER_SERVER') ??
    readUrl(context?.server, 'the server of the context') ??
    defaultServer;
  const contextToken = isServerUrl(context?.server, server) ? context?.token : undefined;
  const isOthers = url !== undefined && !isServerUrl(environmentServer ?? url, server);
  const environmentToken = isOthers ? undefined : nonEmpty(environment.ROSTER_TOKEN);
  return {
    server,
    token:
      readToken(given) ?? (named ? (contextToken ?? environmentToken) : (environmentToken ?? contextToken)),
    station: nonEmpty(environment.ROSTER_STATION) ?? context?.station,
  };
}

function readUrl(text: string | undefined, from: string): string | undefined {
  return text === undefined ? undefined : readServerUrl(text, from);
}

export async function connect(call: Call, connection = findConnection(call)): Promise<RosterClient> {
  const { createClient } = await import('@roster/client');
  const options: ClientOptions = {
    baseUrl: connection.server,
    token: connection.token,
    timeoutMs: (call.given.count('timeout') ?? 30) * 1000,
    acceptLanguage: call.given.text('language'),
    userAgent: `roster/${version}`,
    fetch: httpFetch,
  };
  return createClient(options);
}

/** The station that the argument names, or the environment, or the context. */
export async function openStation(call: Call, argument: string | undefined): Promise<StationClient> {
  const connection = findConnection(call);
  const address = argument ?? connection.station;
  if (address === undefined) {
    throw new UsageError(
      'which station? Give it as subscription/resourceGroup/zone/name, or set ROSTER_STATION',
    );
  }
  return (await connect(call, connection)).station(address);
}

/** For commands with one argument behind the station, which may be left out. */
export async function openStationAnd(call: Call): Promise<{ station: StationClient; argument: string }> {
  const [first, second] = call.given.positionals;
  const station = await openStation(call, second === undefined ? undefined : first);
  return { station, argument: second ?? first! };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
