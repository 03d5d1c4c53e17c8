import type { Notification } from '../alertmanager/read-webhook.ts';
import type { TieRule } from '../config/source.ts';
import type { TieIndex } from '../tie/tie-index.ts';
import type { AlertOfSource } from './combine-alerts.ts';
import { LabelIndex } from './label-index.ts';

/** The name under which alerts of a webhook are listed. */
const webhookSource = 'webhook';

interface Received {
  readonly seenAtMs: number;
  /** On how many alerts it has the last word. */
  words: number;
}

interface StationNews {
  /** By id. */
  readonly received: Map<string, Received>;
  /** The last word on each alert, by fingerprint, and who has it. */
  readonly latest: Map<string, { readonly id: string; readonly word: Latest }>;
}

type Latest =
  | { readonly firing: Notification['firing'][number] }
  | { readonly resolved: Notification['resolved'][number] };

/** What webhooks told of stations since their sources were last read. The next reading of every source replaces it. */
export class WebhookAlerts {
  readonly #news = new Map<string, StationNews>();
  /** By station and resource. */
  readonly #tied = new Map<string, ReadonlyMap<string, readonly Latest[]>>();

  /** How many alerts are held for a station. */
  countOf(station: string): number {
    return this.#news.get(station)?.latest.size ?? 0;
  }

  /** How many there would be with those of a notification. */
  countWith(station: string, { firing, resolved }: Notification): number {
    const { latest } = this.#news.get(station) ?? {};
    const told = new Set([...firing, ...resolved].map(({ fingerprint }) => fingerprint));
    const added = [...told].filter((fingerprint) => !latest?.has(fingerprint));
    return this.countOf(station) + added.length;
  }

  has(id: string): boolean {
    return this.#news.values().some(({ received }) => received.has(id));
  }

  /** Whether a webhook told anything of the resource. */
  concerns(station: string, resourceId: string): boolean {
    return this.#tied.get(station)?.has(resourceId) ?? false;
  }

  /**
   * Returns the ids of notifications that do not matter any more: the last word on each alert counts, and a repeated
   * one changes nothing. They are known until they are forgotten. Ids of a station sort in the order in which they were
   * received.
   */
  add(station: string, id: string, notification: Notification): readonly string[] {
    const { received, latest } = this.#news.getOrInsertComputed(station, () => ({
      received: new Map(),
      latest: new Map(),
    }));
    if (received.has(id)) return [];
    const own: Received = { seenAtMs: Date.now(), words: 0 };
    received.set(id, own);
    const touched = new Set([id]);
    for (const [fingerprint, word] of wordsIn(notification)) {
      const before = latest.get(fingerprint);
      if (before !== undefined && before.id > id) continue;
      if (before !== undefined) {
        received.get(before.id)!.words--;
        touched.add(before.id);
      }
      latest.set(fingerprint, { id, word });
      own.words++;
    }
    return [...touched].filter((each) => received.get(each)!.words === 0);
  }

  /** The ids of what was seen before that time. */
  seenBefore(station: string, beforeMs: number): readonly string[] {
    const received = [...(this.#news.get(station)?.received ?? [])];
    return received.filter(([, { seenAtMs }]) => seenAtMs < beforeMs).map(([id]) => id);
  }

  /** Unknown ids are ignored. */
  forget(ids: readonly string[]): void {
    for (const { received, latest } of this.#news.values()) {
      const hadWords = ids.some((id) => (received.get(id)?.words ?? 0) > 0);
      for (const id of ids) received.delete(id);
      if (!hadWords) continue;
      for (const [fingerprint, { id }] of latest) if (!received.has(id)) latest.delete(fingerprint);
    }
  }

  /** Ties what is held for a station to its resources. */
  tie(station: string, index: TieIndex, rules: readonly TieRule[]): void {
    const tied = new Map<string, Latest[]>();
    for (const { word: latest } of this.#news.get(station)?.latest.values() ?? []) {
      const { labels } = 'firing' in latest ? latest.firing : latest.resolved;
      const found = index.tie(labels, rules);
      if ('resourceId' in found) tied.getOrInsertComputed(found.resourceId, (): Latest[] => []).push(latest);
    }
    this.#tied.set(station, tied);
  }

  /** The alerts of a resource with what webhooks told of it. */
  apply(station: string, resourceId: string, given: readonly AlertOfSource[]): readonly AlertOfSource[] {
    const latest = this.#tied.get(station)?.get(resourceId);
    if (latest === undefined) return given;
    const ended = new LabelIndex(latest.flatMap((each) => ('resolved' in each ? [each.resolved] : [])));
    const firing = latest.flatMap((each) => ('firing' in each ? [each.firing] : []));
    const isEnded = ({ alert }: AlertOfSource) =>
      alert.state !== 'pending' &&
      ended.having(alert.labels).some(({ endedAtMs }) => alert.sinceMs <= endedAtMs);
    // What Prometheus has as pending may fire by now.
    const known = new Set(
      given.filter(({ kind }) => kind === 'alertmanager').map(({ alert }) => alert.fingerprint),
    );
    const added = firing
      .filter(({ fingerprint }) => !known.has(fingerprint))
      .map((alert): AlertOfSource => ({ source: webhookSource, kind: 'alertmanager', alert }));
    return [...given.filter((each) => !isEnded(each)), ...added];
  }
}

function wordsIn({ firing, resolved }: Notification): ReadonlyMap<string, Latest> {
  return new Map<string, Latest>([
    ...firing.map((each) => [each.fingerprint, { firing: each }] as const),
    ...resolved.map((each) => [each.fingerprint, { resolved: each }] as const),
  ]);
}
