/** The statements for notes. `parameter` writes the nth parameter, from 1. */
export function noteSql(parameter: (n: number) => string) {
  const [key, body, version] = [parameter(1), parameter(2), parameter(3)];
  return {
    /** `_` and `%` mean nothing here, as they would in LIKE. */
    versions: `SELECT key, version FROM notes WHERE substr(key, 1, length(${key})) = ${key} ORDER BY key`,
    read: `SELECT version, body FROM notes WHERE key = ${key}`,
    put: `INSERT INTO notes VALUES (${key}, 1, ${body})
      ON CONFLICT (key) DO UPDATE SET version = notes.version + 1, body = excluded.body RETURNING version`,
    create: `INSERT INTO notes VALUES (${key}, 1, ${body}) ON CONFLICT DO NOTHING RETURNING version`,
    replace: `UPDATE notes SET version = version + 1, body = ${body}
      WHERE key = ${key} AND version = ${version} RETURNING version`,
    remove: `DELETE FROM notes WHERE key = ${key}`,
  };
}

export interface NoteRow {
  readonly key: string;
  readonly version: number;
  readonly body: Uint8Array;
}
