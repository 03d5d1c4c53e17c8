import type { BatchOptions } from '@roster/engine';
import { optionalColumnNames } from './resource-columns.ts';
import type { SeenTypes } from './seen-types.ts';

export interface StagedBatch {
  readonly stationId: number;
  /** The batch also removes every resource that it does not name. */
  readonly replaces: boolean;
}

export interface BatchToCommit extends StagedBatch {
  readonly count: number;
  readonly seenTypes: SeenTypes;
  readonly options: BatchOptions;
}

/** How a batch differs from the station. The rows themselves are in the tables `changing` and `leaving`. */
export interface BatchDifference {
  readonly created: number;
  readonly updated: number;
  /** How many of the updated resources get another name. */
  readonly renamed: number;
  readonly removed: number;
}

/** The SQL condition that a staged record `s` changes the resource `r`. */
export const recordDiffers = ['name', 'type_key', ...optionalColumnNames]
  .map((column) => `r.${column} <> s.${column}`)
  .join(' OR ');
