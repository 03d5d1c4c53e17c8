import type { DatabaseSync } from 'node:sqlite';
import { requireKnownSchema, requireNewestSchema, type SchemaChange } from '../../shared/schema-version.ts';
import { addChecksumFunctions } from './row-checksums.ts';
import { runTransaction } from './run-transaction.ts';

/** Migration n takes a database from version n to n + 1. Never change one that was released. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE stations (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription   TEXT NOT NULL,
    resource_group TEXT NOT NULL,
    zone           TEXT NOT NULL,
    name           TEXT NOT NULL,
    epoch          TEXT NOT NULL,
    revision       INTEGER NOT NULL,
    rev_id         TEXT NOT NULL,
    UNIQUE (subscription, resource_group, zone, name)
  ) STRICT;

  CREATE TABLE revisions (
    station_id   INTEGER NOT NULL REFERENCES stations (id),
    revision     INTEGER NOT NULL,
    rev_id       TEXT NOT NULL,
    committed_ms INTEGER NOT NULL,
    PRIMARY KEY (station_id, revision)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE resources (
    id                INTEGER PRIMARY KEY,
    station_id        INTEGER NOT NULL REFERENCES stations (id),
    resource_id       TEXT NOT NULL,
    name              TEXT NOT NULL,
    display_name      TEXT NOT NULL,
    type_key          TEXT NOT NULL,
    product           TEXT NOT NULL,
    alertable         INTEGER NOT NULL,
    state             TEXT NOT NULL,
    sku               TEXT NOT NULL,
    gpu_model         TEXT NOT NULL,
    alert_rules_count INTEGER NOT NULL,
    create_time       TEXT NOT NULL,
    revision          INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX resources_by_resource_id ON resources (station_id, resource_id);
  CREATE UNIQUE INDEX resources_by_name ON resources (station_id, name);
  CREATE INDEX resources_by_revision ON resources (station_id, revision);

  CREATE TABLE tombstones (
    station_id  INTEGER NOT NULL REFERENCES stations (id),
    resource_id TEXT NOT NULL,
    revision    INTEGER NOT NULL,
    PRIMARY KEY (station_id, resource_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tombstones_by_revision ON tombstones (station_id, revision);

  CREATE TABLE resource_types (
    key    TEXT PRIMARY KEY,
    labels TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  INSERT INTO meta (key, value) VALUES ('catalog_revision', '0');
  `,
  // Earlier removals and versions are unknown, so each history begins here. A revision that resources are
  // still at but whose time was dropped counts as old as the oldest known.
  `
  DROP TABLE tombstones;

  CREATE TABLE past_versions (
    station_id        INTEGER NOT NULL REFERENCES stations (id),
    until_revision    INTEGER NOT NULL,
    id                INTEGER NOT NULL,
    revision          INTEGER NOT NULL,
    removed           INTEGER NOT NULL,
    resource_id       TEXT NOT NULL,
    name              TEXT NOT NULL,
    display_name      TEXT NOT NULL,
    type_key          TEXT NOT NULL,
    product           TEXT NOT NULL,
    alertable         INTEGER NOT NULL,
    state             TEXT NOT NULL,
    sku               TEXT NOT NULL,
    gpu_model         TEXT NOT NULL,
    alert_rules_count INTEGER NOT NULL,
    create_time       TEXT NOT NULL,
    PRIMARY KEY (station_id, until_revision, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX past_versions_by_revision ON past_versions (station_id, revision, id);
  CREATE INDEX past_versions_by_resource_id ON past_versions (station_id, resource_id, until_revision);
  CREATE INDEX past_versions_removed ON past_versions (station_id, until_revision, id) WHERE removed = 1;

  ALTER TABLE stations ADD COLUMN oldest_revision INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE stations ADD COLUMN counts TEXT NOT NULL
    DEFAULT '{"resources":0,"alertable":0,"uncovered":0,"byState":{}}';
  UPDATE stations SET oldest_revision = revision;
  UPDATE stations SET counts = json_object(
    'resources', counted.resources, 'alertable', counted.alertable, 'uncovered', counted.uncovered,
    'byState', json(counted.by_state)
  )
  FROM (
    SELECT
      station_id, sum(resources) AS resources, sum(alertable) AS alertable, sum(uncovered) AS uncovered,
      json_group_object(state, resources) AS by_state
    FROM (
      SELECT
        station_id, state, count(*) AS resources, sum(alertable) AS alertable,
        sum(alertable AND alert_rules_count = 0) AS uncovered
      FROM resources GROUP BY station_id, state
    )
    GROUP BY station_id
  ) AS counted
  WHERE counted.station_id = stations.id;

  INSERT INTO revisions (station_id, revision, rev_id, committed_ms)
  SELECT r.station_id, r.revision, lower(hex(randomblob(8))), oldest.committed_ms
  FROM (SELECT DISTINCT station_id, revision FROM resources) r
  JOIN (
    SELECT station_id, min(committed_ms) AS committed_ms FROM revisions GROUP BY station_id
  ) oldest ON oldest.station_id = r.station_id
  WHERE NOT EXISTS (
    SELECT 1 FROM revisions known WHERE known.station_id = r.station_id AND known.revision = r.revision
  );

  ALTER TABLE resource_types ADD COLUMN product TEXT NOT NULL DEFAULT '';
  ALTER TABLE resource_types ADD COLUMN alertable INTEGER NOT NULL DEFAULT 1;
  `,
  `
  CREATE TABLE tokens (
    id           TEXT PRIMARY KEY,
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    role         TEXT NOT NULL,
    scopes       TEXT NOT NULL,
    created_ms   INTEGER NOT NULL,
    created_by   TEXT NOT NULL,
    expires_ms   INTEGER,
    last_used_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE stations ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE resources ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE past_versions ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE resource_types ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE revisions ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE revisions ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;

  UPDATE revisions SET changes = (
    SELECT count(*) FROM resources r
    WHERE r.station_id = revisions.station_id AND r.revision = revisions.revision
  ) + (
    SELECT count(*) FROM past_versions p
    WHERE p.station_id = revisions.station_id AND p.revision = revisions.revision
  ) + (
    SELECT count(*) FROM past_versions p
    WHERE p.station_id = revisions.station_id AND p.until_revision = revisions.revision AND p.removed = 1
  );

  UPDATE stations SET checksum = text_checksum(
    concat_ws(char(31), subscription, resource_group, zone, name, epoch, rev_id, counts)
  ) + 4294967296 * ((id + revision * 31 + oldest_revision * 961) % 1048573);
  UPDATE revisions SET checksum = text_checksum(rev_id)
    + 4294967296 * ((station_id + revision * 31 + committed_ms * 961 + changes * 29791) % 1048573);
  UPDATE resources SET checksum = text_checksum(concat_ws(
    char(31), resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model,
    alert_rules_count, create_time
  )) + 4294967296 * ((station_id + revision * 31) % 1048573);
  UPDATE past_versions SET checksum = text_checksum(concat_ws(
    char(31), resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model,
    alert_rules_count, create_time
  )) + 4294967296 * (
    (station_id + revision * 31 + id * 961 + until_revision * 29791 + removed * 923521) % 1048573
  );
  UPDATE resource_types SET checksum = text_checksum(concat_ws(char(31), key, labels, product, alertable));

  INSERT INTO meta (key, value) SELECT 'type_count', count(*) FROM resource_types;
  `,
  // Until then the maker was only named in a text, which ends with its id if it is a token.
  `
  ALTER TABLE tokens ADD COLUMN maker_id TEXT;
  UPDATE tokens SET maker_id = substr(created_by, -17, 16)
  WHERE created_by GLOB '*(tok_????????????)' AND substr(created_by, -17, 16) IN (SELECT id FROM tokens);
  `,
  // A resource entered its state with the first version that has it, as far as the history goes back. Damaged rows keep
  // their checksum, which does not fit them.
  `
  ALTER TABLE resources ADD COLUMN state_since INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE resources ADD COLUMN labels TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE past_versions ADD COLUMN state_since INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE past_versions ADD COLUMN labels TEXT NOT NULL DEFAULT '{}';

  CREATE TEMP TABLE committed AS SELECT station_id, min(committed_ms) AS ms FROM revisions GROUP BY station_id;

  UPDATE resources AS r SET state_since = coalesce(
    (
      SELECT v.committed_ms FROM revisions v
      WHERE v.station_id = r.station_id AND v.revision = coalesce(
        (
          SELECT min(p.revision) FROM past_versions p
          WHERE p.station_id = r.station_id AND p.resource_id = r.resource_id AND p.revision >= coalesce(
            (
              SELECT max(q.until_revision) FROM past_versions q
              WHERE q.station_id = r.station_id AND q.resource_id = r.resource_id
                AND (q.state <> r.state OR q.removed = 1)
            ),
            0
          )
        ),
        r.revision
      )
    ),
    (SELECT c.ms FROM temp.committed c WHERE c.station_id = r.station_id),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  );
  UPDATE past_versions AS r SET state_since = coalesce(
    (
      SELECT v.committed_ms FROM revisions v
      WHERE v.station_id = r.station_id AND v.revision = (
        SELECT min(p.revision) FROM past_versions p
        WHERE p.station_id = r.station_id AND p.resource_id = r.resource_id AND p.revision >= coalesce(
          (
            SELECT max(q.until_revision) FROM past_versions q
            WHERE q.station_id = r.station_id AND q.resource_id = r.resource_id
              AND q.until_revision < r.until_revision AND (q.state <> r.state OR q.removed = 1)
          ),
          0
        )
      )
    ),
    (SELECT c.ms FROM temp.committed c WHERE c.station_id = r.station_id),
    CAST(unixepoch('subsec') * 1000 AS INTEGER)
  );
  DROP TABLE temp.committed;

  UPDATE resources SET checksum = text_checksum(concat_ws(
    char(31), resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model,
    alert_rules_count, create_time, state_since, labels
  )) + 4294967296 * ((station_id + revision * 31) % 1048573)
  WHERE checksum = text_checksum(concat_ws(
    char(31), resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model,
    alert_rules_count, create_time
  )) + 4294967296 * ((station_id + revision * 31) % 1048573);
  UPDATE past_versions SET checksum = text_checksum(concat_ws(
    char(31), resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model,
    alert_rules_count, create_time, state_since, labels
  )) + 4294967296 * (
    (station_id + revision * 31 + id * 961 + until_revision * 29791 + removed * 923521) % 1048573
  )
  WHERE checksum = text_checksum(concat_ws(
    char(31), resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model,
    alert_rules_count, create_time
  )) + 4294967296 * (
    (station_id + revision * 31 + id * 961 + until_revision * 29791 + removed * 923521) % 1048573
  );
  `,
  // For searches of all stations.
  `
  CREATE INDEX resources_alerting ON resources (station_id) WHERE state <> 'ALERTSTATE_INACTIVE';
  CREATE INDEX resources_uncovered ON resources (station_id) WHERE alertable AND alert_rules_count = 0;
  `,
  `
  CREATE TABLE views (
    owner      TEXT NOT NULL,
    name       TEXT NOT NULL,
    station    TEXT,
    query      TEXT NOT NULL,
    changed_ms INTEGER NOT NULL,
    changed_by TEXT NOT NULL,
    PRIMARY KEY (owner, name)
  ) STRICT, WITHOUT ROWID;
  `,
  // What nodes tell each other.
  `
  CREATE TABLE notes (
    key TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
  `,
  // Who made a revision. Earlier checksums stay right: a missing text is left out of them.
  `
  ALTER TABLE revisions ADD COLUMN changed_by TEXT;
  `,
  // Counts by the hour.
  `
  CREATE TABLE trends (
    station_id INTEGER NOT NULL REFERENCES stations (id),
    hour       INTEGER NOT NULL,
    counts     TEXT,
    peaks      TEXT,
    PRIMARY KEY (station_id, hour)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO meta (key, value) VALUES ('trends_sampled_ms', '0');
  `,
  // Changes are found by the revision that created a resource and those that ended its versions, because an index of
  // the revisions that began them was written again with every change. A resource was created by the first version
  // since its last removal, as far as the history goes back. Damaged rows keep a checksum that does not fit them.
  `
  ALTER TABLE resources ADD COLUMN created_revision INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE past_versions ADD COLUMN created_revision INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE revisions ADD COLUMN versions INTEGER NOT NULL DEFAULT 0;

  UPDATE revisions AS v SET versions = (
    SELECT count(*) FROM resources r WHERE r.station_id = v.station_id AND r.revision = v.revision
  ) + (
    SELECT count(*) FROM past_versions p WHERE p.station_id = v.station_id AND p.revision = v.revision
  );
  CREATE TEMP TABLE lives AS
  SELECT station_id, until_revision, id, first_value(revision) OVER life AS created_revision
  FROM (
    SELECT station_id, resource_id, until_revision, id, revision, coalesce(sum(removed) OVER earlier, 0) AS removals
    FROM past_versions
    WINDOW earlier AS (
      PARTITION BY station_id, resource_id ORDER BY until_revision ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
  )
  WINDOW life AS (PARTITION BY station_id, resource_id, removals ORDER BY until_revision);
  UPDATE past_versions AS p SET created_revision = l.created_revision FROM temp.lives l
  WHERE p.station_id = l.station_id AND p.until_revision = l.until_revision AND p.id = l.id;
  DROP TABLE temp.lives;
  UPDATE resources AS r SET created_revision = coalesce(
    (
      SELECT iif(p.removed = 1, NULL, p.created_revision) FROM past_versions p
      WHERE p.station_id = r.station_id AND p.resource_id = r.resource_id
      ORDER BY p.until_revision DESC LIMIT 1
    ),
    r.revision
  );

  UPDATE revisions SET checksum = (checksum & 4294967295) + 4294967296 * (
    (station_id + revision * 31 + committed_ms * 961 + changes * 29791 + versions * 923521) % 1048573
  )
  WHERE checksum >> 32 = (station_id + revision * 31 + committed_ms * 961 + changes * 29791) % 1048573;
  UPDATE resources SET checksum = (checksum & 4294967295) + 4294967296 * (
    (station_id + revision * 31 + created_revision * 961) % 1048573
  )
  WHERE checksum >> 32 = (station_id + revision * 31) % 1048573;
  UPDATE past_versions SET checksum = (checksum & 4294967295) + 4294967296 * (
    (
      station_id + revision * 31 + id * 961 + until_revision * 29791 + removed * 923521 + created_revision * 7919
    ) % 1048573
  )
  WHERE checksum >> 32 = (
    station_id + revision * 31 + id * 961 + until_revision * 29791 + removed * 923521
  ) % 1048573;

  DROP INDEX resources_by_revision;
  DROP INDEX past_versions_by_revision;
  DROP INDEX past_versions_removed;
  CREATE INDEX resources_by_creation ON resources (station_id, created_revision);
  CREATE INDEX past_versions_by_creation ON past_versions (station_id, created_revision, id) WHERE removed = 1;
  `,
];

/** Migrates the schema, each step in its own transaction. */
export function migrate(db: DatabaseSync, file: string): SchemaChange {
  const version = readSchemaVersion(db);
  requireKnownSchema({ where: file, version, newest: migrations.length });
  addChecksumFunctions(db);
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    runTransaction(db, () => db.exec(`${sql}; PRAGMA user_version = ${index + 1}`));
  }
  return { from: version, to: migrations.length };
}

export function requireMigrated(db: DatabaseSync, file: string): void {
  requireNewestSchema({ where: file, version: readSchemaVersion(db), newest: migrations.length });
}

/** 0 in an empty database. */
export function readSchemaVersion(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}
