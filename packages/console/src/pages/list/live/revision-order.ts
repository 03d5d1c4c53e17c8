/** Whether a snapshot contains what a revision has written. Revisions of another epoch are of a station that is gone. */
export function isIn(revision: string, snapshot: string): boolean {
  const [epoch, number] = parse(revision);
  const [snapshotEpoch, snapshotNumber] = parse(snapshot);
  return epoch !== snapshotEpoch || number <= snapshotNumber;
}

/** For sorting, the newest first. */
export function byNewest(a: string, b: string): number {
  return parse(b)[1] - parse(a)[1];
}

function parse(revision: string): [epoch: string, number: number] {
  const at = revision.indexOf('.');
  return [revision.slice(0, at), Number.parseInt(revision.slice(at + 1), 10)];
}
