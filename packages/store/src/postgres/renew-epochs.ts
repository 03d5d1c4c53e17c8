import type { ClientBase } from 'pg';
import { randomEpoch } from '../shared/random-identifiers.ts';
import type { KnownStation } from './known-stations.ts';
import { runTransaction } from './run-transaction.ts';
import { addressKey } from './station-address-key.ts';

/**
 * A cluster or timeline that is not the one written down means a restored backup or a promoted standby, of
 * which nobody can tell what it lost: all stations get new epochs, from the first node that notices.
 */
export function renewLineage(client: ClientBase, lineage: string): Promise<{ renewed: boolean }> {
  return runTransaction(client, async () => {
    const first = await client.query(
      "INSERT INTO meta (key, value) VALUES ('lineage', $1) ON CONFLICT DO NOTHING",
      [lineage],
    );
    if (first.rowCount === 1) return { renewed: false };
    const moved = await client.query("UPDATE meta SET value = $1 WHERE key = 'lineage' AND value <> $1", [
      lineage,
    ]);
    if (moved.rowCount === 0) return { renewed: false };
    await client.query(
      `UPDATE stations SET
         previous_epoch = epoch, epoch = left(replace(gen_random_uuid()::text, '-', ''), 12)`,
    );
    return { renewed: true };
  });
}

/**
 * Gives new epochs to those stations that do not hold the revision any more at which this node saw them. The
 * row is locked while that is decided, and the epoch must still be the one seen, so however many nodes
 * notice, one of them renews it. A revision that was compacted away proves nothing, and nobody can ask for it.
 */
export async function renewLostEpochs(client: ClientBase, seen: readonly KnownStation[]): Promise<void> {
  if (seen.length > 0) await runTransaction(client, () => renewLost(client, seen));
}

async function renewLost(client: ClientBase, seen: readonly KnownStation[]): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE stations s SET previous_epoch = s.epoch, epoch = seen.new_epoch
     FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::text[], $5::text[])
       AS seen (address, epoch, revision, rev_id, new_epoch)
     WHERE s.address = seen.address AND s.epoch = seen.epoch AND (
       s.revision < seen.revision
       OR s.revision = seen.revision AND s.rev_id <> seen.rev_id
       OR seen.revision >= s.oldest_revision AND NOT EXISTS (
         SELECT 1 FROM revisions r
         WHERE r.station_id = s.id AND r.revision = seen.revision AND r.rev_id = seen.rev_id
       )
     )`,
    [
      seen.map(({ address }) => addressKey(address)),
      seen.map(({ head }) => head.epoch),
      seen.map(({ head }) => head.number),
      seen.map(({ head }) => head.revId),
      seen.map(() => randomEpoch()),
    ],
  );
  return rowCount!;
}
