import type { DatabaseSync } from 'node:sqlite';
import type { Resource, Revision, StationAddress } from '@roster/contract';
import { type Head, RenderedResources } from '@roster/engine/port';
import {
  isSameResource,
  mergeRecord,
  newResource,
  type TypeDefaults,
} from '../../shared/direct/merge-record.ts';
import { findStation } from '../database/find-station.ts';
import { RowReader } from '../database/row-reader.ts';
import { type FlatRows, unflattenRecords } from '../writer/flat-records.ts';
import { type EncodedResources, encodeResources } from './read-rendered.ts';

/** What resources get where their records omit it. */
export interface RecordDefaults {
  readonly nowMs: number;
  /** By key. */
  readonly types: ReadonlyMap<string, TypeDefaults>;
}

/** The resources that whole records make in an empty station. */
export function renderRecords(rows: FlatRows, { nowMs, types }: RecordDefaults): EncodedResources {
  const defaults = { nowMs, defaultsOf: (typeKey: string) => types.get(typeKey) };
  return render(unflattenRecords(rows).map((record) => newResource(record, defaults)));
}

/** Records on their way into a station that is at `since`. */
export interface RecordsToMerge {
  readonly address: StationAddress;
  readonly since: Revision;
  readonly rows: FlatRows;
  readonly nowMs: number;
}

export interface MergedRecords {
  readonly since: Head;
  /** What the records create or change. */
  readonly put: EncodedResources;
}

/** Undefined if the station is at another revision. */
export function renderMerged(
  db: DatabaseSync,
  { address, since, rows, nowMs }: RecordsToMerge,
): MergedRecords | undefined {
  const station = findStation(db, address);
  if (station?.head.epoch !== since.epoch || station.head.number !== since.number) return undefined;
  const { byId, defaultsOf } = new RowReader(db).of(station);
  const changed: Resource[] = [];
  for (const record of unflattenRecords(rows)) {
    const before = byId(record.resourceId)?.resource;
    const after = mergeRecord(record, before, { nowMs, defaultsOf });
    if (before === undefined || !isSameResource(before, after)) changed.push(after);
  }
  return { since: station.head, put: render(changed) };
}

function render(resources: readonly Resource[]): EncodedResources {
  return encodeResources(RenderedResources.of(resources));
}
