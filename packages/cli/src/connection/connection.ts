import type { ClientOptions, RosterClient, StationClient } from '@roster/client';
import type { Call } from '../command/command.ts';
import { UsageError } from '../command/errors.ts';
import type { Flags } from '../command/flags.ts';
import { version } from '../version.ts';
import { findContext, readConfig } from './context-file.ts';
import { httpFetch } from './http-fetch.ts';
import { readToken } from './read-token.ts';
import { isServerUrl, readServerUrl } from './server-url.ts';

const defaultServer = 'http://127.0.0.1:8080';

export const connectionFlags = {
  server: {
    type: 'string',
    value: 'URL',
    about: `server URL (default: ROSTER_SERVER, the context, or ${defaultServer})`,
  },
  token: {
    type: 'string',
    value: 'TOKEN|@FILE|-',
    about: 'bearer token; @FILE or - (standard input) reads it (default: ROSTER_TOKEN or the context)',
  },
  context: {
    type: 'string',
    value: 'NAME',
    about: 'saved connection (default: ROSTER_CONTEXT or the current one)',
  },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    about: 'time limit per request; 0 is none (default 30)',
  },
  language: { type: 'string', value: 'TAG', about: 'language of type labels, such as zh-CN' },
} as const satisfies Flags;

export interface Connection {
  /** With its scheme, and without a trailing slash. */
  readonly server: string;
  readonly token: string | undefined;
  /** From the environment or the context. */
  readonly station: string | undefined;
}

/**
 * Flags win over the environment, which wins over the current context. The token of a context goes only to the
 * server of that context. `url` is a server given as an argument, which may not be trusted: the token of the
 * environment is not sent there if ROSTER_SERVER names another server.
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

/** The station from the argument, the environment or the context. */
export async function openStation(call: Call, argument: string | undefined): Promise<StationClient> {
  const connection = findConnection(call);
  const address = argument ?? connection.station;
  if (address === undefined) {
    throw new UsageError('station missing: pass subscription/resourceGroup/zone/name, or set ROSTER_STATION');
  }
  return (await connect(call, connection)).station(address);
}

/** For commands with one more argument after the optional station. */
export async function openStationAnd(call: Call): Promise<{ station: StationClient; argument: string }> {
  const [first, second] = call.given.positionals;
  const station = await openStation(call, second === undefined ? undefined : first);
  return { station, argument: second ?? first! };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
