import type { CommandTable } from '../command/command.ts';

/** Every command, in the order of the help. */
export const commandTable: CommandTable = {
  list: {
    summary: 'list the resources of a station',
    load: async () => (await import('../commands/resources/list.ts')).list,
  },
  find: {
    summary: 'find resources in all stations',
    load: async () => (await import('../commands/resources/find.ts')).find,
  },
  get: {
    summary: 'show one resource with all its fields',
    load: async () => (await import('../commands/resources/get.ts')).get,
  },
  alerts: {
    summary: 'show the alerts of one resource',
    load: async () => (await import('../commands/sources/alerts.ts')).alerts,
  },
  summary: {
    summary: 'count states and alert coverage of a station',
    load: async () => (await import('../commands/resources/summary.ts')).summary,
  },
  trends: {
    summary: 'show states and coverage of a station over time',
    load: async () => (await import('../commands/resources/trends.ts')).trends,
  },
  changes: {
    summary: 'show what changed in a station',
    load: async () => (await import('../commands/resources/changes.ts')).changes,
  },
  import: {
    summary: 'write resources from a file into a station',
    load: async () => (await import('../commands/resources/import.ts')).importResources,
  },
  diff: {
    summary: 'show what an import would change',
    load: async () => (await import('../commands/resources/diff.ts')).diff,
  },
  export: {
    summary: 'write all resources of a station to a file',
    load: async () => (await import('../commands/resources/export.ts')).exportResources,
  },
  'view save': {
    summary: 'save a search as a view',
    load: async () => (await import('../commands/views/view.ts')).viewSave,
  },
  'view run': {
    summary: 'run a view',
    load: async () => (await import('../commands/views/run-view.ts')).viewRun,
  },
  'view list': {
    summary: 'list the views',
    load: async () => (await import('../commands/views/view.ts')).viewList,
  },
  'view show': {
    summary: 'show what a view searches for',
    load: async () => (await import('../commands/views/view.ts')).viewShow,
  },
  'view delete': {
    summary: 'delete a view',
    load: async () => (await import('../commands/views/view.ts')).viewDelete,
  },
  stations: {
    summary: 'list the stations',
    load: async () => (await import('../commands/stations.ts')).stations,
  },
  'station create': {
    summary: 'create a station',
    load: async () => (await import('../commands/station.ts')).stationCreate,
  },
  'station delete': {
    summary: 'delete a station and all its resources',
    load: async () => (await import('../commands/station.ts')).stationDelete,
  },
  'types list': {
    summary: 'list the resource types',
    load: async () => (await import('../commands/types.ts')).typesList,
  },
  'types set': {
    summary: 'create or change a resource type',
    load: async () => (await import('../commands/types.ts')).typesSet,
  },
  'types delete': {
    summary: 'delete a resource type that is not in use',
    load: async () => (await import('../commands/types.ts')).typesDelete,
  },
  'source list': {
    summary: 'list the sources and their health',
    load: async () => (await import('../commands/sources/source-list.ts')).sourceList,
  },
  'source test': {
    summary: 'query the configured sources and show what they match',
    load: async () => (await import('../commands/sources/source-test.ts')).sourceTest,
  },
  'source add': {
    summary: 'add a source to the configuration file',
    load: async () => (await import('../commands/sources/source-add.ts')).sourceAdd,
  },
  'source remove': {
    summary: 'remove a source from the configuration file',
    load: async () => (await import('../commands/sources/source-remove.ts')).sourceRemove,
  },
  'token create': {
    summary: 'create an API token',
    load: async () => (await import('../commands/tokens/token.ts')).tokenCreate,
  },
  'token list': {
    summary: 'list the API tokens',
    load: async () => (await import('../commands/tokens/token.ts')).tokenList,
  },
  'token revoke': {
    summary: 'revoke an API token',
    load: async () => (await import('../commands/tokens/token.ts')).tokenRevoke,
  },
  'token generate': {
    summary: 'generate a token for the first start of a server',
    load: async () => (await import('../commands/tokens/token.ts')).tokenGenerate,
  },
  'token recover': {
    summary: 'recover access when the last admin token is lost',
    load: async () => (await import('../commands/tokens/recover-token.ts')).tokenRecover,
  },
  probe: {
    summary: 'compare how a server behaves with Roster',
    load: async () => (await import('../commands/probe/probe.ts')).probe,
  },
  serve: {
    summary: 'run a server',
    load: async () => (await import('../commands/server/serve.ts')).serve,
  },
  migrate: {
    summary: 'update the database schema of an inventory',
    load: async () => (await import('../commands/inventory/migrate.ts')).migrate,
  },
  check: {
    summary: 'check an inventory for damage',
    load: async () => (await import('../commands/inventory/check.ts')).check,
  },
  copy: {
    summary: 'copy an inventory to another store and verify it',
    load: async () => (await import('../commands/inventory/copy.ts')).copy,
  },
  'config check': {
    summary: 'check the settings of a server',
    load: async () => (await import('../commands/server/config-check.ts')).configCheck,
  },
  'context set': {
    summary: 'save a connection',
    load: async () => (await import('../commands/context.ts')).contextSet,
  },
  'context use': {
    summary: 'select the current connection',
    load: async () => (await import('../commands/context.ts')).contextUse,
  },
  'context list': {
    summary: 'list the saved connections',
    load: async () => (await import('../commands/context.ts')).contextList,
  },
  'context delete': {
    summary: 'delete a saved connection',
    load: async () => (await import('../commands/context.ts')).contextDelete,
  },
  completion: {
    summary: 'print a shell completion script',
    load: async () => (await import('../commands/completion/completion.ts')).completionOf(commandTable),
  },
};
