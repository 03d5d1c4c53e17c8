import type { DatabaseSync } from 'node:sqlite';
import { resourceTailFields } from '@roster/contract';
import { type RenderedColumns, RenderedResources, type StationPart } from '@roster/engine/port';
import { partConditions } from '../../shared/station-parts.ts';
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

/** The rows of a part of a station after `from`, up to `to`. */
export interface RowRange {
  readonly stationId: number;
  readonly part: StationPart;
  readonly from: RowPosition;
  readonly to: RowPosition;
}

/** SQLite sorts and renders the rows: row by row in JavaScript it takes twice as long. */
export function readRendered(db: DatabaseSync, { stationId, part, from, to }: RowRange): EncodedResources {
  const within = { $station: stationId, $revision: from.revision, $after: from.id };
  const row =
    from.revision === to.revision
      ? db.prepare(withinRevisionSql(part)).get({ ...within, $upTo: to.id })
      : db.prepare(acrossRevisionsSql(part)).get({ ...within, $last: to.revision, $upTo: to.id });
  return encode(row as unknown as RenderedRow);
}

export function decodeResources(encoded: EncodedResources): RenderedResources {
  const { ids, displayNames } = encoded;
  return new RenderedResources({ ...encoded, ids: JSON.parse(ids), displayNames: JSON.parse(displayNames) });
}

/** What moves to the other thread without being copied. */
export function buffersOf(rendered: Omit<RenderedColumns, 'ids' | 'displayNames'>): ArrayBuffer[] {
  const { bytes, kindOf, attributesOf, createdMs, stateSinceMs, ruleCounts, tails, ends } = rendered;
  const columns = [bytes, kindOf, attributesOf, createdMs, stateSinceMs, ruleCounts, tails, ends];
  return columns.map(({ buffer }) => buffer as ArrayBuffer);
}

interface RenderedRow {
  readonly ids: string;
  readonly displayNames: string;
  /** JSON by line; null when there is no row. */
  readonly kinds: string | null;
  /** JSON by line; null when there is no row. */
  readonly attributes: string | null;
  /** JSON. */
  readonly createTimes: string;
  /** JSON. */
  readonly numbers: string;
  /** JSON by line; null when there is no row. */
  readonly tails: Uint8Array | null;
}

const newline = 0x0a;
const comma = 0x2c;

/** A tail continues an object: a comma replaces its opening brace. */
function encode(row: RenderedRow): EncodedResources {
  const { ids, displayNames, tails: lines } = row;
  const bytes = lines ? Buffer.from(lines.buffer, lines.byteOffset, lines.length) : Buffer.alloc(0);
  const [kinds, kindOf] = numberLines(row.kinds);
  const [attributes, attributesOf] = numberLines(row.attributes);
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
  const numbers: number[] = JSON.parse(row.numbers);
  return {
    ids,
    displayNames,
    kinds: kinds.map(parseKind),
    kindOf,
    attributes: attributes.map(parseAttributes),
    attributesOf,
    createdMs: Float64Array.from(JSON.parse(row.createTimes) as string[], (time) => Date.parse(time)),
    stateSinceMs: Float64Array.from(kindOf, (_, at) => numbers[2 * at]!),
    ruleCounts: Float64Array.from(kindOf, (_, at) => numbers[2 * at + 1]!),
    bytes,
    tails,
    ends,
  };
}

/** The distinct lines, and for each line the position of its text among them. */
function numberLines(lines: string | null): [texts: string[], numbers: Uint32Array<ArrayBuffer>] {
  const numbers = new Map<string, number>();
  const numbered = Uint32Array.from(lines?.split('\n') ?? [], (line) =>
    numbers.getOrInsertComputed(line, () => numbers.size),
  );
  return [[...numbers.keys()], numbered];
}

function parseAttributes(json: string): RenderedColumns['attributes'][number] {
  const [sku, gpuModel, labels]: [string, string, string] = JSON.parse(json);
  return { sku, gpuModel, labels };
}

type KindRow = [typeKey: string, product: string, alertable: number, state: string, hasRules: number];

function parseKind(json: string): RenderedColumns['kinds'][number] {
  const [typeKey, product, alertable, state, hasRules]: KindRow = JSON.parse(json);
  return { typeKey, product, alertable: alertable === 1, state, hasRules: hasRules === 1 };
}

/** The columns have the names of the listed fields. */
const select = (part: StationPart) => `
  SELECT resource_id, display_name, json_array(type_key, product, alertable, state, alert_rules_count > 0) AS kind,
    json_array(sku, gpu_model, labels) AS attributes, create_time, state_since, alert_rules_count,
    json_object(${resourceTailFields.map((field) => `'${field}', ${field}`).join(', ')}) AS tail
  FROM resources INDEXED BY resources_by_revision
  WHERE station_id = $station AND ${partConditions[part]} AND ${isSound('resources')}
`;

/**
 * Nearly in list order (code points, not UTF-16 units), which leaves the engine little to sort. The
 * aggregates keep the order of the inner rows; an `ORDER BY` in each would take twice as long.
 */
function renderedSql(rows: string): string {
  return `
    SELECT json_group_array(resource_id) AS ids, json_group_array(display_name) AS displayNames,
      group_concat(kind, char(10)) AS kinds, group_concat(attributes, char(10)) AS attributes,
      json_group_array(create_time) AS createTimes,
      '[' || coalesce(group_concat(state_since || ',' || alert_rules_count), '') || ']' AS numbers, CAST(group_concat(tail, char(10)) || char(10) AS BLOB) AS tails
    FROM (${rows} ORDER BY display_name, resource_id)
  `;
}

function withinRevisionSql(part: StationPart): string {
  return renderedSql(`${select(part)} AND revision = $revision AND id > $after AND id <= $upTo`);
}

/** Three index ranges, because SQLite does not search an index by (revision, id) as one value. */
function acrossRevisionsSql(part: StationPart): string {
  return renderedSql(`
    ${select(part)} AND revision = $revision AND id > $after
    UNION ALL ${select(part)} AND revision > $revision AND revision < $last
    UNION ALL ${select(part)} AND revision = $last AND id <= $upTo
  `);
}
