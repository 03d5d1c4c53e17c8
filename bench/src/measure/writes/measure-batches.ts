import type { BatchFinding } from '../../findings.ts';
import { renderChanges } from './state-changes.ts';
import { WriteConnection } from './write-connection.ts';
import { alternate, type WritesSubject } from './writes-subject.ts';

/** Seconds of a batch of state changes, from its first byte to the acknowledgement, beside the same in plain. */
export async function measureBatches(
  { data, server, plain, changes, plainChanges }: WritesSubject,
  records: number,
  rounds: number,
): Promise<BatchFinding> {
  const connection = await WriteConnection.open(server.origin, 'bench');
  const finding: BatchFinding = { size: data.size, records, roster: [], plain: [] };
  const timed = async (seconds: number[], write: () => Promise<void>) => {
    const startedMs = performance.now();
    await write();
    seconds.push((performance.now() - startedMs) / 1000);
  };
  await alternate(
    rounds,
    () => {
      const body = renderChanges(changes.take(records));
      return timed(finding.roster, () => connection.send(body));
    },
    () => {
      const body = renderChanges(plainChanges.take(records));
      return timed(finding.plain, () => plain.write(body));
    },
  );
  connection.close();
  return finding;
}
