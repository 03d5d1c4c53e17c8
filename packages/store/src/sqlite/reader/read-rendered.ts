import type { DatabaseSync } from 'node:sqlite';
import { resourceTailFields } from '@roster/contract';
import { type RenderedColumns, RenderedResources } from '@roster/engine';
import { isSound } from '../database/row-checksums.ts';

/** Rendered resources as sent between threads: one long text transfers faster than many strings. */
export interface EncodedResources extends Omit<RenderedColumns, 'ids' | 'displayNames'> {
  /** JSON. */
  readonly ids: string;
  /** JSON. */
  readonly displayNames: string;
}

/** A position in the order of revisions, and of ids within a revision. */
export interface RowPosition {
  readonly revision: number;
  readonly id: number;
}

/** All rows of a station after `from`, up to `to`. */
export interface RowRange {
  readonly stationId: number;
  readonly from: RowPosition;
  readonly to: RowPosition;
}

/** SQLite sorts and renders the rows: row by row in JavaScript it takes twice as long. */
export function readRendered(db: DatabaseSync, { stationId, from, to }: RowRange): EncodedResources {
  const within = { $station: stationId, $revision: from.revision, $after: from.id };
  const row =
    from.revision === to.revision
      ? db.prepare(withinRevisionSql).get({ ...within, $upTo: to.id })
      : db.prepare(acrossRevisionsSql).get({ ...within, $last: to.revision, $upTo: to.id });
  return encode(row as unknown as RenderedRow);
}

export function decodeResources(encoded: EncodedResources): RenderedResources {
  const { ids, displayNames } = encoded;
  return new RenderedResources({ ...encoded, ids: JSON.parse(ids), displayNames: JSON.parse(displayNames) });
}

/** What moves to the other thread without being copied. */
export function buffersOf(columns: Omit<RenderedColumns, 'ids' | 'displayNames'>): ArrayBuffer[] {
  const { bytes, kindOf, tails, ends } = columns;
  return [bytes, kindOf, tails, ends].map(({ buffer }) => buffer as ArrayBuffer);
}

interface RenderedRow {
  readonly ids: string;
  readonly displayNames: string;
  /** JSON by line; null when there is no row. */
  readonly kinds: string | null;
  /** JSON by line; null when there is no row. */
  readonly tails: Uint8Array | null;
}

const newline = 0x0a;
const comma = 0x2c;

/** A tail continues an object: a comma replaces its opening brace. */
function encode({ ids, displayNames, kinds, tails: lines }: RenderedRow): EncodedResources {
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

function parseKind(json: string): RenderedColumns['kinds'][number] {
  const [typeKey, product, alertable, state, hasRules]: KindRow = JSON.parse(json);
  return { typeKey, product, alertable: alertable === 1, state, hasRules: hasRules === 1 };
}

/** The columns have the names of the listed fields. */
const select = `
  SELECT resource_id, display_name, json_array(type_key, product, alertable, state, alert_rules_count > 0) AS kind,
    json_object(${resourceTailFields.map((field) => `'${field}', ${field}`).join(', ')}) AS tail
  FROM resources INDEXED BY resources_by_revision
  WHERE station_id = $station AND ${isSound('resources')}
`;

/**
 * Nearly in list order (code points, not UTF-16 units), which leaves the engine little to sort. The
 * aggregates keep the order of the inner rows; an `ORDER BY` in each would take twice as long.
 */
function renderedSql(rows: string): string {
  return `
    SELECT json_group_array(resource_id) AS ids, json_group_array(display_name) AS displayNames,
      group_concat(kind, char(10)) AS kinds, CAST(group_concat(tail, char(10)) || char(10) AS BLOB) AS tails
    FROM (${rows} ORDER BY display_name, resource_id)
  `;
}

const withinRevisionSql = renderedSql(`${select} AND revision = $revision AND id > $after AND id <= $upTo`);

/** Three index ranges, because SQLite does not search an index by (revision, id) as one value. */
const acrossRevisionsSql = renderedSql(`
  ${select} AND revision = $revision AND id > $after
  UNION ALL ${select} AND revision > $revision AND revision < $last
  UNION ALL ${select} AND revision = $last AND id <= $upTo
`);
