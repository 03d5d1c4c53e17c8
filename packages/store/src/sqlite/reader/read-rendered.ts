import type { DatabaseSync } from 'node:sqlite';
import { resourceTailFields } from '@roster/contract';
import { type RenderedColumns, RenderedResources, type StationPart } from '@roster/engine/port';
import { partConditions } from '../../shared/station-parts.ts';
import { getRow } from '../database/rows.ts';
import { type RowSource, rowSources } from './row-sources.ts';

/** Rendered resources as sent between threads: one long text transfers faster than many strings. */
export interface EncodedResources extends Omit<RenderedColumns, Texts> {
  /** JSON. */
  readonly ids: string;
  /** JSON. */
  readonly displayNames: string;
  /** JSON. */
  readonly attributes: string;
}

type Texts = 'ids' | 'displayNames' | 'attributes';
type AttributesRow = [sku: string, gpuModel: string, labels: string];

/** A position in the order of revisions, and of ids within a revision. */
export interface RowPosition {
  readonly revision: number;
  readonly id: number;
}

/** The rows of a part of a station after `from`, up to `to`. */
export interface RowRange {
  readonly stationId: number;
  readonly part: StationPart;
  readonly source: RowSource;
  /** The revision that the source begins after. */
  readonly since: number;
  readonly from: RowPosition;
  readonly to: RowPosition;
}

/** SQLite sorts and renders the rows: row by row in JavaScript it takes twice as long. */
export function readRendered(db: DatabaseSync, range: RowRange): EncodedResources {
  const { stationId, source, part, since, from, to } = range;
  const isWithinRevision = from.revision === to.revision;
  const sql = isWithinRevision ? withinRevisionSql(source, part) : acrossRevisionsSql(source, part);
  const row = getRow<RenderedRow>(db, sql, {
    $station: stationId,
    $revision: from.revision,
    $after: from.id,
    $upTo: to.id,
    ...(isWithinRevision ? {} : { $last: to.revision }),
    ...(source === 'updated' ? { $since: since } : {}),
  });
  return encode(row!);
}

export function decodeResources(encoded: EncodedResources): RenderedResources {
  const attributes: AttributesRow[] = JSON.parse(encoded.attributes);
  return new RenderedResources({
    ...encoded,
    ids: JSON.parse(encoded.ids),
    displayNames: JSON.parse(encoded.displayNames),
    attributes: attributes.map(([sku, gpuModel, labels]) => ({ sku, gpuModel, labels })),
  });
}

export function encodeResources({ columns }: RenderedResources): EncodedResources {
  const attributes = columns.attributes.map(({ sku, gpuModel, labels }) => [sku, gpuModel, labels]);
  return {
    ...columns,
    ids: JSON.stringify(columns.ids),
    displayNames: JSON.stringify(columns.displayNames),
    attributes: JSON.stringify(attributes),
  };
}

/** What moves to the other thread without being copied. */
export function buffersOf(rendered: Omit<RenderedColumns, Texts>): ArrayBuffer[] {
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
    attributes: `[${attributes.join(',')}]`,
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

type KindRow = [typeKey: string, product: string, alertable: number, state: string, hasRules: number];

function parseKind(json: string): RenderedColumns['kinds'][number] {
  const [typeKey, product, alertable, state, hasRules]: KindRow = JSON.parse(json);
  return { typeKey, product, alertable: alertable === 1, state, hasRules: hasRules === 1 };
}

/** The columns have the names of the listed fields. */
function select(source: RowSource, part: StationPart): string {
  const { key, rows, isWanted } = rowSources[source];
  return `
    SELECT r.resource_id AS resource_id, r.display_name AS display_name,
      json_array(r.type_key, r.product, r.alertable, r.state, r.alert_rules_count > 0) AS kind,
      json_array(r.sku, r.gpu_model, r.labels) AS attributes, r.create_time, r.state_since, r.alert_rules_count,
      json_object(${resourceTailFields.map((field) => `'${field}', r.${field}`).join(', ')}) AS tail
    FROM ${rows}
    WHERE ${key}.station_id = $station AND ${partConditions[part]} AND ${isWanted}`;
}

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

function withinRevisionSql(source: RowSource, part: StationPart): string {
  const { key, revision } = rowSources[source];
  const within = `${key}.${revision} = $revision AND ${key}.id > $after AND ${key}.id <= $upTo`;
  return renderedSql(`${select(source, part)} AND ${within}`);
}

/** Three index ranges, because SQLite does not search an index by (revision, id) as one value. */
function acrossRevisionsSql(source: RowSource, part: StationPart): string {
  const { key, revision } = rowSources[source];
  const ranges = [
    `${key}.${revision} = $revision AND ${key}.id > $after`,
    `${key}.${revision} > $revision AND ${key}.${revision} < $last`,
    `${key}.${revision} = $last AND ${key}.id <= $upTo`,
  ];
  return renderedSql(ranges.map((range) => `${select(source, part)} AND ${range}`).join(' UNION ALL '));
}
