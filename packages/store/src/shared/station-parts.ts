import { dataDamaged, resourceDefaults, type StationAddress } from '@roster/contract';
import { type Head, type PartOfStation, RenderedResources, type StationPart } from '@roster/engine/port';
import { toResource } from './resource-columns.ts';

/** SQL that both databases understand, and in the words of the indexes of the parts. */
export const partConditions: Readonly<Record<StationPart, string>> = {
  alerting: `state <> '${resourceDefaults.state}'`,
  uncovered: 'alertable AND alert_rules_count = 0',
  all: 'TRUE',
};

/** A part as read: rows of `resourceColumns`. */
export interface StoredPart {
  readonly address: StationAddress;
  readonly head: Head;
  /** How many resources the station counts in the part. */
  readonly size: number;
  readonly rows: readonly (readonly unknown[])[];
}

/** Throws `data_damaged` when resources are missing that the station counts. */
export function toPart({ address, head, size, rows }: StoredPart): PartOfStation {
  if (rows.length !== size) throw dataDamaged('the station');
  return { address, head, resources: RenderedResources.of(rows.map((row) => toResource(row))) };
}
