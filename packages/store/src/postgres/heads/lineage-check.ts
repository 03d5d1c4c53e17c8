import type { Head } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { randomEpoch } from '../../shared/random-identifiers.ts';
import { inspectServer, requireUsable, type ServerState } from '../connection/inspect-server.ts';
import { runTransaction } from '../connection/run-transaction.ts';
import { addressKey } from '../schema/find-station.ts';
import { rowChecksum } from '../schema/row-checksums.ts';
import type { KnownStation, KnownStations } from './known-stations.ts';

interface LineageCheckParts {
  readonly server: string;
  readonly known: KnownStations;
  /** A read-only store renews no epochs. */
  readonly readOnly: boolean;
}

/**
 * Admits a connection only if its server holds the history this node has seen. Checked again after every
 * restart of the server, which every restore and failover involves.
 */
export class LineageCheck {
  readonly #parts: LineageCheckParts;
  #server: string | undefined;
  #recognising: Promise<void> | undefined;

  constructor(parts: LineageCheckParts) {
    this.#parts = parts;
  }

  async admit(client: ClientBase): Promise<void> {
    const state = await inspectServer(client);
    requireUsable(state, this.#parts.server);
    if (this.#parts.readOnly) return;
    while (this.#server !== identityOf(state)) {
      this.#recognising ??= this.#recognise(client, state).finally(() => {
        this.#recognising = undefined;
      });
      await this.#recognising;
    }
  }

  async #recognise(client: ClientBase, state: ServerState): Promise<void> {
    await renewLineage(client, state.lineage);
    await renewLostEpochs(client, this.#parts.known.all());
    this.#server = identityOf(state);
  }
}

function identityOf({ lineage, started_at }: ServerState): string {
  return `${lineage} ${started_at}`;
}

/**
 * Another cluster or timeline than the recorded one means a restored backup or a promoted standby, with
 * unknown losses: the first node that notices gives all stations new epochs.
 */
async function renewLineage(client: ClientBase, lineage: string): Promise<void> {
  await runTransaction(client, async () => {
    const first = await client.query(
      "INSERT INTO meta (key, value) VALUES ('lineage', $1) ON CONFLICT DO NOTHING",
      [lineage],
    );
    if (first.rowCount === 1) return true;
    const moved = await client.query("UPDATE meta SET value = $1 WHERE key = 'lineage' AND value <> $1", [
      lineage,
    ]);
    if (moved.rowCount === 0) return undefined;
    await client.query(
      `UPDATE stations SET
         previous_epoch = epoch, epoch = left(replace(gen_random_uuid()::text, '-', ''), 12)
       WHERE checksum = ${rowChecksum('stations')}`,
    );
    return true;
  });
}

/**
 * Gives new epochs to stations that no longer hold the revision this node saw. The row is locked meanwhile
 * and the epoch must still be the one seen, so exactly one node renews it. A revision that was compacted away
 * proves nothing, and nobody can ask for it.
 */
export async function renewLostEpochs(client: ClientBase, seen: readonly KnownStation[]): Promise<void> {
  if (seen.length > 0) await runTransaction(client, () => renewLost(client, seen));
}

async function renewLost(client: ClientBase, seen: readonly KnownStation[]): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE stations s SET previous_epoch = s.epoch, epoch = seen.new_epoch
     FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::text[], $5::text[])
       AS seen (address, epoch, revision, rev_id, new_epoch)
     WHERE s.address = seen.address AND s.epoch = seen.epoch AND s.checksum = ${rowChecksum('stations', 's')} AND (
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

/** Whether going from `before` to `after` is only possible if the history lost its tail. */
export function hasLostTail(before: Head, after: Head): boolean {
  if (before.epoch !== after.epoch) return false;
  return after.number < before.number || (after.number === before.number && after.revId !== before.revId);
}
