import type { Notification } from '../alertmanager/read-webhook.ts';
import type { TieRule } from '../config/source.ts';
import type { TieIndex } from '../tie/tie-index.ts';
import { type AlertOfSource, hasAll } from './combine-alerts.ts';

/** The name under which alerts of a webhook are listed. */
const webhookSource = 'webhook';

interface Received {
  readonly id: string;
  readonly seenAtMs: number;
  readonly notification: Notification;
}

type Latest =
  | { readonly firing: Notification['firing'][number] }
  | { readonly resolved: Notification['resolved'][number] };

/** What webhooks told of stations since their sources were last read. The next reading of every source replaces it. */
export class WebhookAlerts {
  readonly #received = new Map<string, Received[]>();
  readonly #latest = new Map<string, ReadonlyMap<string, Latest>>();
  /** By station and resource. */
  readonly #tied = new Map<string, ReadonlyMap<string, readonly Latest[]>>();

  /** How many alerts are held for a station. */
  countOf(station: string): number {
    return this.#latest.get(station)?.size ?? 0;
  }

  has(id: string): boolean {
    return [...this.#received.values()].some((received) => received.some((each) => each.id === id));
  }

  /** Whether a webhook told anything of the resource. */
  concerns(station: string, resourceId: string): boolean {
    return this.#tied.get(station)?.has(resourceId) ?? false;
  }

  /** Ids sort by time, also between nodes. */
  add(station: string, id: string, notification: Notification): void {
    const received = this.#received.getOrInsertComputed(station, (): Received[] => []);
    if (received.some((each) => each.id === id)) return;
    received.push({ id, seenAtMs: Date.now(), notification });
    received.sort((a, b) => (a.id < b.id ? -1 : 1));
    this.#update(station);
  }

  /** Forgets what was seen before that time; returns the ids. */
  forget(station: string, beforeMs: number): readonly string[] {
    const received = this.#received.get(station) ?? [];
    const old = received.filter(({ seenAtMs }) => seenAtMs < beforeMs);
    if (old.length === 0) return [];
    this.#received.set(
      station,
      received.filter(({ seenAtMs }) => seenAtMs >= beforeMs),
    );
    this.#update(station);
    return old.map(({ id }) => id);
  }

  /** Ties what is held for a station to its resources. */
  tie(station: string, index: TieIndex, rules: readonly TieRule[]): void {
    const tied = new Map<string, Latest[]>();
    for (const latest of this.#latest.get(station)?.values() ?? []) {
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
    const ended = latest.flatMap((each) => ('resolved' in each ? [each.resolved] : []));
    const firing = latest.flatMap((each) => ('firing' in each ? [each.firing] : []));
    const isEnded = ({ alert }: AlertOfSource) =>
      alert.state !== 'pending' &&
      ended.some(({ labels, endedAtMs }) => hasAll(labels, alert.labels) && alert.sinceMs <= endedAtMs);
    const known = new Set(given.map(({ alert }) => alert.fingerprint));
    const added = firing
      .filter(({ fingerprint }) => !known.has(fingerprint))
      .map((alert): AlertOfSource => ({ source: webhookSource, kind: 'alertmanager', alert }));
    return [...given.filter((each) => !isEnded(each)), ...added];
  }

  /** The last word on each alert counts, and a repeated one changes nothing. */
  #update(station: string): void {
    const latest = new Map<string, Latest>();
    for (const { notification } of this.#received.get(station) ?? []) {
      for (const firing of notification.firing) latest.set(firing.fingerprint, { firing });
      for (const resolved of notification.resolved) latest.set(resolved.fingerprint, { resolved });
    }
    this.#latest.set(station, latest);
  }
}
