import { storeUnavailable } from './store-errors.ts';

/** The schema versions before and after; equal if there was nothing to do. */
export interface SchemaChange {
  readonly from: number;
  readonly to: number;
}

/** Where the data is, its schema version (0 for none), and the newest known version. */
interface FoundSchema {
  readonly where: string;
  readonly version: number;
  readonly newest: number;
}

/** Throws `store_unavailable` when a newer Roster has written the data. */
export function requireKnownSchema({ where, version, newest }: FoundSchema): void {
  if (version <= newest) return;
  throw storeUnavailable(
    `${where} has schema version ${version}, this Roster knows versions up to ${newest}; ` +
      'run the newer Roster that wrote it, or restore a backup from before the upgrade',
  );
}

/** Throws `store_unavailable` unless the data can be read as it is. */
export function requireNewestSchema(found: FoundSchema): void {
  requireKnownSchema(found);
  const { where, version, newest } = found;
  if (version === 0) throw storeUnavailable(`${where} has no inventory`);
  if (version === newest) return;
  throw storeUnavailable(
    `${where} has schema version ${version}, but reading it needs version ${newest}; ` +
      'run roster migrate first',
  );
}
