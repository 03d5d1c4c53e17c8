import type { Command } from './command.ts';

export interface TableEntry {
  /** One line for `roster help`. */
  readonly summary: string;
  /** Loaded when it is needed, so that a command starts without the others. */
  load(): Promise<Command>;
}

/** Every command, in the order of the help. */
export const commandTable: Readonly<Record<string, TableEntry>> = {
  list: {
    summary: 'list the resources of a station',
    load: async () => (await import('./commands/list.ts')).list,
  },
  get: {
    summary: 'show one resource with all its fields',
    load: async () => (await import('./commands/get.ts')).get,
  },
  summary: {
    summary: 'count states and coverage of a station',
    load: async () => (await import('./commands/summary.ts')).summary,
  },
  changes: {
    summary: 'show what changed in a station',
    load: async () => (await import('./commands/changes.ts')).changes,
  },
  import: {
    summary: 'write resources from a file into a station',
    load: async () => (await import('./commands/import.ts')).importResources,
  },
  diff: {
    summary: 'show what an import would change',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  export: {
    summary: 'write all resources of a station to a file',
    load: async () => (await import('./commands/export.ts')).exportResources,
  },
  stations: {
    summary: 'list the stations',
    load: async () => (await import('./commands/stations.ts')).stations,
  },
  'station create': {
    summary: 'create a station',
    load: async () => (await import('./commands/station.ts')).stationCreate,
  },
  'station delete': {
    summary: 'delete a station and all its resources',
    load: async () => (await import('./commands/station.ts')).stationDelete,
  },
  'types list': {
    summary: 'list the resource types',
    load: async () => (await import('./commands/types.ts')).typesList,
  },
  'types set': {
    summary: 'create or change a resource type',
    load: async () => (await import('./commands/types.ts')).typesSet,
  },
  'types delete': {
    summary: 'delete a resource type that is not in use',
    load: async () => (await import('./commands/types.ts')).typesDelete,
  },
  'token create': {
    summary: 'create an API token',
    load: async () => (await import('./commands/token.ts')).tokenCreate,
  },
  'token list': {
    summary: 'list the API tokens',
    load: async () => (await import('./commands/token.ts')).tokenList,
  },
  'token revoke': {
    summary: 'revoke an API token',
    load: async () => (await import('./commands/token.ts')).tokenRevoke,
  },
  'token generate': {
    summary: 'make up a token for the first start of a server',
    load: async () => (await import('./commands/token.ts')).tokenGenerate,
  },
  'token recover': {
    summary: 'get back in when the last admin token is lost',
    load: async () => (await import('./commands/recover-token.ts')).tokenRecover,
  },
  probe: {
    summary: 'find out how a server resolves what the interface leaves open',
    load: async () => (await import('./commands/probe.ts')).probe,
  },
  serve: {
    summary: 'run a server',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  migrate: {
    summary: 'bring the tables of an inventory up to date',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  copy: {
    summary: 'copy an inventory to another store and verify it',
    load: async () => (await import('./commands/copy.ts')).copy,
  },
  'config check': {
    summary: 'check the configuration of a server, and show what it comes to',
    load: async () => (await import('./commands/config.ts')).configCheck,
  },
  'context set': {
    summary: 'name a connection',
    load: async () => (await import('./commands/context.ts')).contextSet,
  },
  'context use': {
    summary: 'choose the connection to use',
    load: async () => (await import('./commands/context.ts')).contextUse,
  },
  'context list': {
    summary: 'list the named connections',
    load: async () => (await import('./commands/context.ts')).contextList,
  },
  'context delete': {
    summary: 'forget a named connection',
    load: async () => (await import('./commands/context.ts')).contextDelete,
  },
  completion: {
    summary: 'print the completion script of a shell',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
};
