import type { Note } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { type NoteRow, noteSql } from '../../shared/notes.ts';

const sql = noteSql((n) => `$${n}`);

export async function noteVersions(client: ClientBase, prefix: string): Promise<Map<string, number>> {
  const { rows } = await client.query<NoteRow>(sql.versions, [prefix]);
  return new Map(rows.map(({ key, version }) => [key, Number(version)]));
}

export async function readNote(client: ClientBase, key: string): Promise<Note | undefined> {
  const { rows } = await client.query<NoteRow>(sql.read, [key]);
  return rows[0] && { version: Number(rows[0].version), body: rows[0].body };
}

/** Undefined, which rolls back, if the note has another version than `ifVersion`. */
export async function writeNote(
  client: ClientBase,
  note: { readonly key: string; readonly body: Uint8Array; readonly ifVersion: number | undefined },
): Promise<number | undefined> {
  const { key, ifVersion } = note;
  const body = Buffer.from(note.body);
  const { rows } = await (ifVersion
    ? client.query<NoteRow>(sql.replace, [key, body, ifVersion])
    : client.query<NoteRow>(ifVersion === undefined ? sql.put : sql.create, [key, body]));
  return rows[0] && Number(rows[0].version);
}

export async function removeNotes(client: ClientBase, keys: readonly string[]): Promise<true> {
  await client.query('DELETE FROM notes WHERE key = ANY($1)', [keys]);
  return true;
}
