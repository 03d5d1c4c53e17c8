const minBegunLength = 4;

/** The known name closest to a mistyped one, or undefined if none is close. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const wanted = squash(given);
  if (wanted === '' || wanted.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const candidate = squash(name);
    const distance = isWholeWordOf(given, name) ? 0.5 : distanceBetween(wanted, candidate);
    const tolerance = Math.max(1, Math.floor(candidate.length / 3));
    if (distance <= tolerance && distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

function squash(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function isWholeWordOf(given: string, name: string): boolean {
  const isLastPart = name.includes('.') && squash(name.slice(name.lastIndexOf('.'))) === squash(given);
  return isLastPart || name.split(/[._]/).includes(given.toLowerCase());
}

/** A prefix beats any typo, and the shortest completion wins. */
function distanceBetween(wanted: string, candidate: string): number {
  const isBegun = wanted.length >= minBegunLength && candidate.startsWith(wanted);
  if (!isBegun) return editDistance(wanted, candidate);
  const missing = candidate.length - wanted.length;
  return missing / (missing + 1);
}

/** Optimal string alignment distance: insertions, deletions, substitutions, swapped neighbours. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, substitution);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforePrevious[column - 2]! + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
