import type { DatabaseSync } from 'node:sqlite';
import { resourceTailFields } from '@roster/contract';
import { type PackedColumns, PackedResources } from '@roster/engine';

/** Packed resources on their way between threads: a text of many strings goes faster than the strings. */
export interface EncodedResources extends Omit<PackedColumns, 'ids' | 'displayNames'> {
  /** JSON. */
  readonly ids: string;
  /** JSON. */
  readonly displayNames: string;
}

/** A place in the order of revisions, and of ids within a revision. */
export interface RowPosition {
  readonly revision: number;
  readonly id: number;
}

/** All rows of a station behind `from`, up to `to`. */
export interface RowRange {
  readonly stationId: number;
  readonly from: RowPosition;
  readonly to: RowPosition;
}

/**
 * Reads resources as a snapshot takes them. SQLite sorts and renders them: in JavaScript, row by row, that takes
 * twice as long.
 */
export function readPacked(db: DatabaseSync, { stationId, from, to }: RowRange): EncodedResources {
  const within = { $station: stationId, $revision: from.revision, $after: from.id };
  const row =
    from.revision === to.revision
      ? db.prepare(withinRevisionSql).get({ ...within, $upTo: to.id })
      : db.prepare(acrossRevisionsSql).get({ ...within, $last: to.revision, $upTo: to.id });
  return encode(row as unknown as PackedRow);
}

export function decodeResources(encoded: EncodedResources): PackedResources {
  const { ids, displayNames } = encoded;
  return new PackedResources({ ...encoded, ids: JSON.parse(ids), displayNames: JSON.parse(displayNames) });
}

/** What moves to the other thread instead of being copied. */
export function buffersOf({ bytes, kindOf, tails, ends }: EncodedResources): ArrayBuffer[] {
  return [bytes, kindOf, tails, ends].map(({ buffer }) => buffer as ArrayBuffer);
}

interface PackedRow {
  readonly ids: string;
  readonly displayNames: string;
  /** JSON by line; null when there is no row. */
  readonly kinds: string | null;
  /** JSON by line; null when there is no row. */
  readonly tails: Uint8Array | null;
}

const newline = 0x0a;
const comma = 0x2c;

/** A tail is the rest of an object that has begun already: a comma takes the place of its brace. */
function encode({ ids, displayNames, kinds, tails: lines }: PackedRow): EncodedResources {
  const bytes = lines ? Buffer.from(lines.buffer, lines.byteOffset, lines.length) : Buffer.alloc(0);
  const numbers = new Map<string, number>();
  const kindOf = Uint32Array.from(kinds?.split('\n') ?? [], (kind) =>
    numbers.getOrInsertComputed(kind, () => numbers.size),
  );
  const tails = new Uint32Array(kindOf.length);
  const ends = new Uint32Array(kindOf.length);
  let begin = 0;
  for (let at = 0; at < kindOf.length; at++) {
    const end = bytes.indexOf(newline, begin);
    if (end === -1) throw new Error('SQLite rendered fewer resources than it read');
    bytes[begin] = comma;
    tails[at] = begin;
    ends[at] = end;
    begin = end + 1;
  }
  return { ids, displayNames, kinds: Array.from(numbers.keys(), parseKind), kindOf, bytes, tails, ends };
}

type KindRow = [typeKey: string, product: string, alertable: number, state: string, hasRules: number];

function parseKind(json: string): PackedColumns['kinds'][number] {
  const [typeKey, product, alertable, state, hasRules]: KindRow = JSON.parse(json);
  return { typeKey, product, alertable: alertable === 1, state, hasRules: hasRules === 1 };
}

/** The columns are called as the fields of a listed resource are. */
const select = `
  SELECT resource_id, display_name, json_array(type_key, product, alertable, state, alert_rules_count > 0) AS kind,
    json_object(${resourceTailFields.map((field) => `'${field}', ${field}`).join(', ')}) AS tail
  FROM resources INDEXED BY resources_by_revision
  WHERE station_id = $station
`;

/**
 * In list order, but for rare characters, so that the engine, which does not rely on it, has little left to sort. The
 * aggregates keep the order of the rows within; an `ORDER BY` in each of them would take twice as long.
 */
function packedSql(rows: string): string {
  return `
    SELECT json_group_array(resource_id) AS ids, json_group_array(display_name) AS displayNames,
      group_concat(kind, char(10)) AS kinds, CAST(group_concat(tail, char(10)) || char(10) AS BLOB) AS tails
    FROM (${rows} ORDER BY display_name, resource_id)
  `;
}

const withinRevisionSql = packedSql(`${select} AND revision = $revision AND id > $after AND id <= $upTo`);

/** Three plain index ranges, because SQLite does not search an index by (revision, id) as one value. */
const acrossRevisionsSql = packedSql(`
  ${select} AND revision = $revision AND id > $after
  UNION ALL ${select} AND revision > $revision AND revision < $last
  UNION ALL ${select} AND revision = $last AND id <= $upTo
`);
