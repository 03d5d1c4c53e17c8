export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A squarified treemap (Bruls, Huizing, van Wijk 2000) in a box: rectangles with areas in proportion to the weights,
 * as square as can be. Weights come largest first.
 */
export function squarify(weights: readonly number[], box: Tile): Tile[] {
  const sum = weights.reduce((total, each) => total + each, 0);
  if (sum <= 0) return [];
  const scale = (box.width * box.height) / sum;
  const tiles: Tile[] = [];
  let rest = box;
  for (let from = 0; from < weights.length; ) {
    const side = Math.min(rest.width, rest.height);
    let to = from + 1;
    let areas = [weights[from]! * scale];
    while (to < weights.length) {
      const longer = [...areas, weights[to]! * scale];
      if (worst(longer, side) > worst(areas, side)) break;
      areas = longer;
      to++;
    }
    const placed = placeRow(areas, rest);
    tiles.push(...placed.tiles);
    rest = placed.rest;
    from = to;
  }
  return tiles;
}

/** The worst ratio of sides in a row along a side. */
function worst(areas: readonly number[], side: number): number {
  const sum = areas.reduce((total, each) => total + each, 0);
  const [largest, smallest] = [Math.max(...areas), Math.min(...areas)];
  return Math.max((side ** 2 * largest) / sum ** 2, sum ** 2 / (side ** 2 * smallest));
}

function placeRow(areas: readonly number[], box: Tile): { tiles: Tile[]; rest: Tile } {
  const sum = areas.reduce((total, each) => total + each, 0);
  const isTall = box.height >= box.width;
  const thickness = sum / Math.min(box.width, box.height);
  let at = isTall ? box.x : box.y;
  const tiles = areas.map((area) => {
    const length = area / thickness;
    const tile = isTall
      ? { x: at, y: box.y, width: length, height: thickness }
      : { x: box.x, y: at, width: thickness, height: length };
    at += length;
    return tile;
  });
  const rest = isTall
    ? { ...box, y: box.y + thickness, height: box.height - thickness }
    : { ...box, x: box.x + thickness, width: box.width - thickness };
  return { tiles, rest };
}
