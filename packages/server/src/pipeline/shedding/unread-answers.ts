import type { Exchange } from '../../http/exchange.ts';
import { Shares } from '../../quotas/shares.ts';

interface Unread {
  readonly exchange: Exchange;
  readonly bytes: number;
  readonly owners: readonly string[];
}

/**
 * Closes connections with unread answers until these take at most `maxBytes`, and at most half of that for one owner.
 * The largest owner loses its oldest answers first. Returns how many bytes are left.
 */
export function closeUnreadAnswers(
  exchanges: Iterable<Exchange>,
  maxBytes: number,
  ownersOf: (exchange: Exchange) => readonly string[],
): number {
  const shares = new Shares(maxBytes);
  const unread: Unread[] = [];
  let total = 0;
  for (const exchange of exchanges) {
    const bytes = exchange.response.socket?.writableLength ?? 0;
    if (bytes === 0) continue;
    const owners = ownersOf(exchange);
    for (const owner of owners) shares.hold(owner, bytes);
    unread.push({ exchange, bytes, owners });
    total += bytes;
  }
  unread.sort((a, b) => a.exchange.startedAtMs - b.exchange.startedAtMs);
  while (unread.length > 0) {
    const largest = shares.largest()!;
    if (total <= maxBytes && !shares.isOwnerOver(largest)) break;
    const at = unread.findIndex(({ owners }) => owners.includes(largest));
    const [{ exchange, bytes, owners }] = unread.splice(at, 1) as [Unread];
    for (const owner of owners) shares.release(owner, bytes);
    total -= bytes;
    exchange.response.socket!.destroy();
  }
  return total;
}
