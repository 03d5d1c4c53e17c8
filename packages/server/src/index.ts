export { makeToken } from './access/make-token.ts';
export { makeTokenText } from './access/token-text.ts';
export { runServer } from './main/run-server.ts';
export type { RunningRoster } from './main/serve.ts';
export { startRoster } from './main/start-roster.ts';
export type { Settings } from './settings/all-settings.ts';
export { addSource, type GivenSource, removeSource } from './settings/edit-sources.ts';
export { InvalidSettings } from './settings/invalid-settings.ts';
export { readConfigText } from './settings/read-config-file.ts';
export {
  readSettings,
  type SettingSources,
  type SettingTrace,
  type TracedSettings,
  traceSettings,
} from './settings/read-settings.ts';
export { type ServeFlag, serveFlags } from './settings/setting-names.ts';
