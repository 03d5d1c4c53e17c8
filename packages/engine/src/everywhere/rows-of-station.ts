import { rowIdIn } from '../index/rows/row-id.ts';
import { type RenderedColumns, RenderedResources } from '../port/rendered-resources.ts';
import { isInPart } from '../port/station-part.ts';
import type { StationPart } from '../port/store.ts';

/** Resources of a station as rows among those of others. */
export function asRows({ columns }: RenderedResources, station: string): RenderedResources {
  return new RenderedResources({
    ...columns,
    ids: columns.ids.map((id) => rowIdIn(station, id)),
    attributes: columns.attributes.map((each) => ({ ...each, station })),
  });
}

export interface SplitRows {
  /** The rows in the part, copied: a chunk is only valid until the next. */
  readonly within: RenderedResources;
  /** The ids of the others. */
  readonly outside: readonly string[];
}

export function splitByPart(resources: RenderedResources, station: string, part: StationPart): SplitRows {
  const rows = asRows(resources, station).columns;
  const isWithin = rows.kinds.map((kind) => isInPart(part, kind));
  const positions = rows.ids.map((_, at) => at);
  return {
    within: copyRows(
      rows,
      positions.filter((at) => isWithin[rows.kindOf[at]!]),
    ),
    outside: positions.filter((at) => !isWithin[rows.kindOf[at]!]).map((at) => rows.ids[at]!),
  };
}

function copyRows(rows: RenderedColumns, positions: readonly number[]): RenderedResources {
  const tails = new Uint32Array(positions.length);
  const ends = new Uint32Array(positions.length);
  const pieces = positions.map((at) => rows.bytes.subarray(rows.tails[at], rows.ends[at]));
  let end = 0;
  for (const [at, piece] of pieces.entries()) {
    tails[at] = end;
    end += piece.length;
    ends[at] = end;
  }
  return new RenderedResources({
    ...rows,
    ids: positions.map((at) => rows.ids[at]!),
    displayNames: positions.map((at) => rows.displayNames[at]!),
    kindOf: Uint32Array.from(positions, (at) => rows.kindOf[at]!),
    attributesOf: Uint32Array.from(positions, (at) => rows.attributesOf[at]!),
    createdMs: Float64Array.from(positions, (at) => rows.createdMs[at]!),
    stateSinceMs: Float64Array.from(positions, (at) => rows.stateSinceMs[at]!),
    ruleCounts: Float64Array.from(positions, (at) => rows.ruleCounts[at]!),
    bytes: Buffer.concat(pieces),
    tails,
    ends,
  });
}
