export type { Source } from './config/source.ts';
export type { CombinedAlert } from './poll/combine-alerts.ts';
export { LiveSources, type OwnedFields } from './poll/live-sources.ts';
export { type SourceTrial, trySource } from './poll/try-source.ts';
export type { SourceStatus } from './poll/view-source.ts';
export type { SourceObserver } from './port.ts';
export type { TiedResource } from './tie/tie-index.ts';
