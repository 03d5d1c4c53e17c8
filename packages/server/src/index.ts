export { runServer } from './run-server.ts';
export { InvalidSettings, readSettings, type Settings } from './settings.ts';
export { type RunningRoster, startRoster } from './start-roster.ts';
