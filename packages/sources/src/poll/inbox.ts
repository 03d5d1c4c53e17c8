import { randomUUID } from 'node:crypto';
import { parseStationPath, type StationAddress, stationKey, stationPath } from '@roster/contract';
import type { NoteStore } from '@roster/engine';
import type { Notification } from '../alertmanager/read-webhook.ts';

const prefix = 'inbox/';

interface News {
  readonly id: string;
  /** The key of the station. */
  readonly station: string;
  readonly notification: Notification;
}

/** Notifications that were received and are not superseded yet, on all nodes. */
export class Inbox {
  readonly #notes: NoteStore;

  constructor(notes: NoteStore) {
    this.#notes = notes;
  }

  async add(station: StationAddress, notification: Notification): Promise<string> {
    const id = `${prefix}${Date.now()}-${randomUUID()}`;
    const body = JSON.stringify({ station: stationPath(station), notification });
    await this.#notes.write(id, Buffer.from(body));
    return id;
  }

  /** Those that are not known yet, oldest first. */
  async news(isKnown: (id: string) => boolean): Promise<News[]> {
    const found: News[] = [];
    for (const id of (await this.#notes.versions(prefix)).keys()) {
      const note = isKnown(id) ? undefined : await this.#notes.read(id);
      if (note === undefined) continue;
      const { station, notification } = JSON.parse(Buffer.from(note.body).toString());
      found.push({ id, station: stationKey(parseStationPath(station)!), notification });
    }
    return found;
  }

  remove(ids: readonly string[]): Promise<void> {
    return this.#notes.remove(ids);
  }
}
