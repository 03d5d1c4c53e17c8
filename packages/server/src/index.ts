export { makeToken } from './access/make-token.ts';
export { makeTokenText } from './access/token-text.ts';
export { runServer } from './run-server.ts';
export type { RunningRoster } from './serve.ts';
export { InvalidSettings } from './settings/invalid-settings.ts';
export {
  readSettings,
  type SettingSources,
  type SettingTrace,
  type TracedSettings,
  traceSettings,
} from './settings/read-settings.ts';
export { type ServeFlag, serveFlags } from './settings/serve-flags.ts';
export type { Settings } from './settings/table.ts';
export { startRoster } from './start-roster.ts';
