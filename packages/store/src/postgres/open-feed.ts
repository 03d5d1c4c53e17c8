import { RosterError, type StationAddress } from '@roster/contract';
import type { ChangeFeed, Head } from '@roster/engine';
import type { AnswerWatch } from './answer-watch.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { FeedCursor } from './feed-cursor.ts';
import { FeedParts } from './feed-parts.ts';
import type { HeadQuestions } from './head-questions.ts';
import type { KnownStations } from './known-stations.ts';
import { renewLostEpochs } from './renew-epochs.ts';
import { translateError } from './translate-error.ts';

export interface FeedSource {
  readonly server: string;
  readonly readers: ConnectionPool;
  readonly answers: AnswerWatch;
  readonly writers: ConnectionPool;
  readonly questions: HeadQuestions;
  readonly known: KnownStations;
}

/** Opens a feed, and then knows all types that its resources can have. */
export async function openFeed(
  source: FeedSource,
  address: StationAddress,
  since?: Head,
): Promise<ChangeFeed> {
  const { server, readers, answers, questions } = source;
  const lease = await readers.take();
  try {
    const cursor = await answers.run(lease.client, async () => {
      await lease.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return FeedCursor.open(lease.client, address, since);
    });
    await questions.reachCatalog(cursor.catalogRevision);
    const { head, expectedSize } = cursor;
    return { head, expectedSize, parts: new FeedParts({ lease, cursor, answers, server }) };
  } catch (error) {
    await lease.client.query('ROLLBACK').catch(() => undefined);
    lease.giveBack(error);
    if (error instanceof RosterError && error.code === 'revision_expired') await renewIfLost(source, address);
    throw translateError(error, server);
  }
}

/** A history that does not go on from where this node is may have lost its tail. */
async function renewIfLost({ writers, known }: FeedSource, address: StationAddress): Promise<void> {
  const station = known.get(address);
  if (station) await writers.use((client) => renewLostEpochs(client, [station]));
}
