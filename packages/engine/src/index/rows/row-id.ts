/**
 * The id of a row among those of several stations. Ids have no control characters, so `resourceIdIn` gets it back, and
 * rows are ordered by id first.
 */
export function rowIdIn(station: string, resourceId: string): string {
  return `${resourceId}\0${station}`;
}

export function resourceIdIn(rowId: string): string {
  const end = rowId.indexOf('\0');
  return end === -1 ? rowId : rowId.slice(0, end);
}
