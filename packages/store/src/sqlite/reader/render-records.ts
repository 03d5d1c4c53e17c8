import { RenderedResources } from '@roster/engine/port';
import { newResource, type TypeDefaults } from '../../shared/direct/merge-record.ts';
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
  const resources = unflattenRecords(rows).map((record) => newResource(record, defaults));
  return encodeResources(RenderedResources.of(resources));
}
