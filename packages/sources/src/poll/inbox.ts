import { createHash, randomUUID } from 'node:crypto';
import {
  parseStationPath,
  RosterError,
  type StationAddress,
  stationKey,
  stationPath,
} from '@roster/contract';
import type { NoteStore } from '@roster/engine';
import type { Notification } from '../alertmanager/read-webhook.ts';

const prefix = 'inbox/';
/** Of a station. They stay until a poll replaces them or later ones say the same. */
const maxNotes = 5_000;
const maxBytes = 64 * 1024 * 1024;

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

  /**
   * Resolves to its id, which sorts after all that the inbox has of the station, whichever node received them: clocks
   * need not agree. Throws `overloaded`.
   */
  async add(station: StationAddress, notification: Notification): Promise<string> {
    const room = `${prefix}${digestOf(station)}/`;
    const ids = [...(await this.#notes.versions(room)).keys()];
    const bytes = ids.reduce((sum, id) => sum + sizeIn(id), 0);
    if (ids.length >= maxNotes || bytes >= maxBytes) {
      throw new RosterError(
        'overloaded',
        'too many notifications are waiting until the sources of this station are read again; send this one later',
        { retryAfterSeconds: 10 },
      );
    }
    const body = Buffer.from(JSON.stringify({ station: stationPath(station), notification }));
    const atMs = Math.max(Date.now(), timeIn(ids.at(-1)) + 1);
    const id = `${room}${atMs}-${randomUUID()}.${body.length}`;
    await this.#notes.write(id, body);
    return id;
  }

  /** Those that are not known yet, oldest first. */
  async *news(isKnown: (id: string) => boolean): AsyncGenerator<News> {
    for (const id of (await this.#notes.versions(prefix)).keys()) {
      const note = isKnown(id) ? undefined : await this.#notes.read(id);
      if (note === undefined) continue;
      const { station, notification } = JSON.parse(Buffer.from(note.body).toString());
      yield { id, station: stationKey(parseStationPath(station)!), notification };
    }
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#notes.remove(ids);
  }
}

/** A name of fixed length for any station. */
function digestOf(station: StationAddress): string {
  return createHash('sha256').update(stationKey(station)).digest('hex').slice(0, 16);
}

/** 0 without an id. */
function timeIn(id = ''): number {
  return Number.parseInt(id.slice(id.lastIndexOf('/') + 1), 10) || 0;
}

/** The size of a note is in its id, so that no note has to be read for it. */
function sizeIn(id: string): number {
  return Number(id.slice(id.lastIndexOf('.') + 1)) || 0;
}
