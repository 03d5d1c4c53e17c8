import { RosterError, type StationAddress, stationKey } from '@roster/contract';
import type { NoteStore } from '@roster/engine';
import type { Notification } from '../alertmanager/read-webhook.ts';
import { Inbox } from './inbox.ts';
import { WebhookAlerts } from './webhook-alerts.ts';

/** Held for a station until its sources are read. */
const maxAlerts = 20_000;

/** Takes in notifications of webhooks, also those that other nodes received, for as long as they matter. */
export class WebhookIntake {
  readonly alerts = new WebhookAlerts();
  readonly #inbox: Inbox;

  constructor(notes: NoteStore) {
    this.#inbox = new Inbox(notes);
  }

  /** Resolves to its id when it is durable. Throws `overloaded`. */
  async keep(station: StationAddress, notification: Notification): Promise<string> {
    if (this.alerts.countWith(stationKey(station), notification) > maxAlerts) {
      throw new RosterError('overloaded', 'too many alerts arrived since the sources were last read', {
        retryAfterSeconds: 10,
      });
    }
    return this.#inbox.add(station, notification);
  }

  /** Takes in what nodes have kept and this one does not know. Returns the stations that have news. */
  async takeNews(isConfigured: (station: string) => boolean): Promise<StationNews[]> {
    const taken: StationNews[] = [];
    const superseded: string[] = [];
    for await (const { id, station, notification } of this.#inbox.news((id) => this.alerts.has(id))) {
      // Its sources are not configured any more, so nobody needs it.
      if (!isConfigured(station)) superseded.push(id);
      else {
        superseded.push(...this.alerts.add(station, id, notification));
        taken.push({ station, isTruncated: notification.isTruncated });
      }
    }
    await this.remove(superseded);
    return taken;
  }

  /** Forgets what was seen before that time; resolves to whether there was anything. */
  async forget(station: string, beforeMs: number): Promise<boolean> {
    const old = this.alerts.seenBefore(station, beforeMs);
    await this.remove(old);
    return old.length > 0;
  }

  /** Notes first: one that is still there, but not known any more, would be taken in again. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.#inbox.remove(ids);
    this.alerts.forget(ids);
  }
}

interface StationNews {
  readonly station: string;
  readonly isTruncated: boolean;
}
