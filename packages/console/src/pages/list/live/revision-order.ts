/** Whether a snapshot contains what a revision has written. Revisions of another epoch are of a station that is gone. */
export function isIn(revision: string, snapshot: string): boolean {
  const [epoch, number] = parse(revision);
  const [snapshotEpoch, snapshotNumber] = parse(snapshot);
  return epoch !== snapshotEpoch || number <= snapshotNumber;
}

function parse(revision: string): [epoch: string, number: number] {
  const at = revision.indexOf('.');
  return [revision.slice(0, at), Number.parseInt(revision.slice(at + 1), 10)];
}
