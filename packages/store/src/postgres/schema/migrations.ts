import type { ClientBase } from 'pg';
import { requireKnownSchema, requireNewestSchema, type SchemaChange } from '../../shared/schema-version.ts';
import { runTransaction } from '../connection/run-transaction.ts';

const columnsOfVersion3 =
  'resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model, alert_rules_count, create_time';
const columnsOfVersion5 = `${columnsOfVersion3}, state_since, labels`;

/**
 * Migration n takes a database from version n to n + 1. Never change one that was released.
 *
 * Rows of a station are only written under the lock of its row in `stations`, so they need no foreign keys, which would
 * cost a lookup per imported row.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (
    key   text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
  );
  INSERT INTO meta (key, value) VALUES ('catalog_revision', '0');

  CREATE TABLE stations (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    revision        bigint NOT NULL,
    oldest_revision bigint NOT NULL DEFAULT 0,
    address         bytea NOT NULL UNIQUE,
    subscription    text COLLATE "C" NOT NULL,
    resource_group  text COLLATE "C" NOT NULL,
    zone            text COLLATE "C" NOT NULL,
    name            text COLLATE "C" NOT NULL,
    epoch           text COLLATE "C" NOT NULL,
    previous_epoch  text COLLATE "C",
    rev_id          text COLLATE "C" NOT NULL,
    counts          jsonb NOT NULL DEFAULT '{"resources":0,"alertable":0,"uncovered":0,"byState":{}}'
  ) WITH (fillfactor = 50);
  COMMENT ON COLUMN stations.address IS 'the four names in UTF-16, which identifies and orders stations';

  CREATE TABLE revisions (
    station_id   bigint NOT NULL,
    revision     bigint NOT NULL,
    committed_ms bigint NOT NULL,
    rev_id       text COLLATE "C" NOT NULL,
    PRIMARY KEY (station_id, revision)
  );

  CREATE TABLE resources (
    station_id        bigint NOT NULL,
    id                bigint GENERATED ALWAYS AS IDENTITY (CACHE 1000),
    revision          bigint NOT NULL,
    alert_rules_count bigint NOT NULL,
    alertable         boolean NOT NULL,
    resource_id       text COLLATE "C" NOT NULL,
    name              text COLLATE "C" NOT NULL,
    display_name      text COLLATE "C" NOT NULL,
    type_key          text COLLATE "C" NOT NULL,
    product           text COLLATE "C" NOT NULL,
    state             text COLLATE "C" NOT NULL,
    sku               text COLLATE "C" NOT NULL,
    gpu_model         text COLLATE "C" NOT NULL,
    create_time       text COLLATE "C" NOT NULL,
    PRIMARY KEY (station_id, resource_id),
    -- Deferrable, so that names can change hands within one statement.
    CONSTRAINT resources_by_name UNIQUE (station_id, name) DEFERRABLE INITIALLY IMMEDIATE
  );
  CREATE INDEX resources_by_revision ON resources (station_id, revision, id);

  CREATE TABLE past_versions (
    station_id        bigint NOT NULL,
    until_revision    bigint NOT NULL,
    id                bigint NOT NULL,
    revision          bigint NOT NULL,
    alert_rules_count bigint NOT NULL,
    alertable         boolean NOT NULL,
    removed           boolean NOT NULL,
    resource_id       text COLLATE "C" NOT NULL,
    name              text COLLATE "C" NOT NULL,
    display_name      text COLLATE "C" NOT NULL,
    type_key          text COLLATE "C" NOT NULL,
    product           text COLLATE "C" NOT NULL,
    state             text COLLATE "C" NOT NULL,
    sku               text COLLATE "C" NOT NULL,
    gpu_model         text COLLATE "C" NOT NULL,
    create_time       text COLLATE "C" NOT NULL,
    PRIMARY KEY (station_id, until_revision, id)
  );
  CREATE INDEX past_versions_by_revision ON past_versions (station_id, revision, id);
  CREATE INDEX past_versions_by_resource_id ON past_versions (station_id, resource_id, until_revision);
  CREATE INDEX past_versions_removed ON past_versions (station_id, until_revision, id) WHERE removed;

  CREATE TABLE resource_types (
    key       text COLLATE "C" PRIMARY KEY,
    product   text NOT NULL,
    alertable boolean NOT NULL,
    labels    jsonb NOT NULL
  );
  `,
  `
  CREATE TABLE tokens (
    id           text COLLATE "C" PRIMARY KEY,
    name         text NOT NULL,
    hash         text COLLATE "C" NOT NULL UNIQUE,
    role         text NOT NULL,
    scopes       text[] NOT NULL,
    created_ms   bigint NOT NULL,
    created_by   text NOT NULL,
    expires_ms   bigint,
    last_used_ms bigint
  );
  `,
  `
  CREATE FUNCTION roster_damaged() RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
  BEGIN
    RAISE EXCEPTION 'a row does not fit its checksum' USING ERRCODE = 'data_corrupted';
  END
  $$;

  ALTER TABLE stations ADD COLUMN checksum uuid GENERATED ALWAYS AS (${md5Of(
    'id, revision, oldest_revision, subscription, resource_group, zone, name, epoch, rev_id, counts',
  )}) STORED;
  ALTER TABLE resources ADD COLUMN checksum uuid GENERATED ALWAYS AS (${md5Of(
    `station_id, id, revision, ${columnsOfVersion3}`,
  )}) STORED;
  ALTER TABLE past_versions ADD COLUMN checksum uuid GENERATED ALWAYS AS (${md5Of(
    `station_id, id, revision, until_revision, removed, ${columnsOfVersion3}`,
  )}) STORED;
  ALTER TABLE resource_types ADD COLUMN checksum uuid GENERATED ALWAYS AS (${md5Of(
    'key, product, alertable, labels',
  )}) STORED;
  `,
  // Until then the maker was only named in a text, which ends with its id if it is a token.
  `
  ALTER TABLE tokens ADD COLUMN maker_id text COLLATE "C";
  UPDATE tokens SET maker_id = substring(created_by from '[(](tok_[0-9a-z]{12})[)]$')
  WHERE substring(created_by from '[(](tok_[0-9a-z]{12})[)]$') IN (SELECT id FROM tokens);
  `,
  // A resource entered its state with the first version that has it, as far as the history goes back. A damaged row
  // stops the migration: its new checksum would hide the damage.
  `
  SELECT roster_damaged() FROM resources
  WHERE checksum <> ${md5Of(`station_id, id, revision, ${columnsOfVersion3}`)} LIMIT 1;
  SELECT roster_damaged() FROM past_versions
  WHERE checksum <> ${md5Of(`station_id, id, revision, until_revision, removed, ${columnsOfVersion3}`)} LIMIT 1;

  ALTER TABLE resources DROP COLUMN checksum;
  ALTER TABLE past_versions DROP COLUMN checksum;
  ALTER TABLE resources ADD COLUMN state_since bigint NOT NULL DEFAULT 0;
  ALTER TABLE resources ADD COLUMN labels text COLLATE "C" NOT NULL DEFAULT '{}';
  ALTER TABLE past_versions ADD COLUMN state_since bigint NOT NULL DEFAULT 0;
  ALTER TABLE past_versions ADD COLUMN labels text COLLATE "C" NOT NULL DEFAULT '{}';

  UPDATE resources r SET state_since = coalesce(
    (
      SELECT v.committed_ms FROM revisions v
      WHERE v.station_id = r.station_id AND v.revision = coalesce(
        (
          SELECT min(p.revision) FROM past_versions p
          WHERE p.station_id = r.station_id AND p.resource_id = r.resource_id AND p.revision >= coalesce(
            (
              SELECT max(q.until_revision) FROM past_versions q
              WHERE q.station_id = r.station_id AND q.resource_id = r.resource_id
                AND (q.state <> r.state OR q.removed)
            ),
            0
          )
        ),
        r.revision
      )
    ),
    (SELECT min(v.committed_ms) FROM revisions v WHERE v.station_id = r.station_id),
    floor(extract(epoch FROM now()) * 1000)::bigint
  );
  UPDATE past_versions r SET state_since = coalesce(
    (
      SELECT v.committed_ms FROM revisions v
      WHERE v.station_id = r.station_id AND v.revision = (
        SELECT min(p.revision) FROM past_versions p
        WHERE p.station_id = r.station_id AND p.resource_id = r.resource_id AND p.revision >= coalesce(
          (
            SELECT max(q.until_revision) FROM past_versions q
            WHERE q.station_id = r.station_id AND q.resource_id = r.resource_id
              AND q.until_revision < r.until_revision AND (q.state <> r.state OR q.removed)
          ),
          0
        )
      )
    ),
    (SELECT min(v.committed_ms) FROM revisions v WHERE v.station_id = r.station_id),
    floor(extract(epoch FROM now()) * 1000)::bigint
  );

  ALTER TABLE resources ADD COLUMN checksum uuid GENERATED ALWAYS AS (${md5Of(
    `station_id, id, revision, ${columnsOfVersion3}, state_since, labels`,
  )}) STORED;
  ALTER TABLE past_versions ADD COLUMN checksum uuid GENERATED ALWAYS AS (${md5Of(
    `station_id, id, revision, until_revision, removed, ${columnsOfVersion3}, state_since, labels`,
  )}) STORED;
  `,
  // For searches of all stations.
  `
  CREATE INDEX resources_alerting ON resources (station_id) WHERE state <> 'ALERTSTATE_INACTIVE';
  CREATE INDEX resources_uncovered ON resources (station_id) WHERE alertable AND alert_rules_count = 0;
  `,
  `
  CREATE TABLE views (
    owner      text COLLATE "C" NOT NULL,
    name       text COLLATE "C" NOT NULL,
    station    text,
    query      text NOT NULL,
    changed_ms bigint NOT NULL,
    changed_by text NOT NULL,
    PRIMARY KEY (owner, name)
  );
  `,
  // What nodes tell each other.
  `
  CREATE TABLE notes (
    key text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    body bytea NOT NULL
  );
  `,
  // Who made a revision.
  `
  ALTER TABLE revisions ADD COLUMN changed_by text COLLATE "C";
  `,
  // Counts by the hour.
  `
  CREATE TABLE trends (
    station_id bigint NOT NULL,
    hour       integer NOT NULL,
    counts     jsonb,
    peaks      jsonb,
    PRIMARY KEY (station_id, hour)
  );
  INSERT INTO meta (key, value) VALUES ('trends_sampled_ms', '0');
  `,
  // An update of an indexed column writes to all indexes of the table, so no index has the revision or the state of a
  // resource. `alerting` names all resources in other states than inactive, and some that were until recently. Of a
  // resource that was created before the known history, the first known revision counts. Damage stops the migration as
  // above.
  `
  SELECT roster_damaged() FROM resources
  WHERE checksum <> ${md5Of(`station_id, id, revision, ${columnsOfVersion5}`)} LIMIT 1;
  SELECT roster_damaged() FROM past_versions
  WHERE checksum <> ${md5Of(`station_id, id, revision, until_revision, removed, ${columnsOfVersion5}`)} LIMIT 1;

  DROP INDEX resources_by_revision, past_versions_by_revision, resources_alerting, resources_uncovered;
  ALTER TABLE resources DROP COLUMN checksum, ADD COLUMN created_revision bigint NOT NULL DEFAULT 0;
  ALTER TABLE past_versions DROP COLUMN checksum, ADD COLUMN created_revision bigint NOT NULL DEFAULT 0;
  UPDATE resources r SET created_revision = coalesce(
    (
      SELECT min(p.revision) FROM past_versions p
      WHERE p.station_id = r.station_id AND p.resource_id = r.resource_id AND p.id = r.id
    ),
    r.revision
  );
  UPDATE past_versions r SET created_revision = p.created_revision
  FROM (SELECT station_id, id, min(revision) AS created_revision FROM past_versions GROUP BY station_id, id) p
  WHERE p.station_id = r.station_id AND p.id = r.id;

  ALTER TABLE resources SET (fillfactor = 90);
  ALTER TABLE resources
    ALTER COLUMN created_revision DROP DEFAULT,
    ADD COLUMN checksum bigint GENERATED ALWAYS AS (
      hash_record_extended(ROW(station_id, id, revision, created_revision, ${columnsOfVersion5}), 0)
    ) STORED,
    ADD COLUMN uncovered boolean GENERATED ALWAYS AS (alertable AND alert_rules_count = 0) STORED;
  ALTER TABLE past_versions
    ALTER COLUMN created_revision DROP DEFAULT,
    ADD COLUMN checksum bigint GENERATED ALWAYS AS (
      hash_record_extended(
        ROW(station_id, id, revision, created_revision, until_revision, removed, ${columnsOfVersion5}), 0
      )
    ) STORED;
  CREATE INDEX resources_by_creation ON resources (station_id, created_revision, id);
  CREATE INDEX resources_uncovered ON resources (station_id) WHERE uncovered;
  CREATE INDEX past_versions_by_creation ON past_versions (station_id, created_revision, id) WHERE removed;

  CREATE TABLE alerting (
    station_id  bigint NOT NULL,
    resource_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (station_id, resource_id)
  );
  INSERT INTO alerting SELECT station_id, resource_id FROM resources WHERE state <> 'ALERTSTATE_INACTIVE';
  `,
];

/** Also released: it must not change. */
function md5Of(columns: string): string {
  const texts = columns.split(', ').map((column) => `${column}::text`);
  return `md5(${texts.join(" || E'\\x1f' || ")})::uuid`;
}

/** An arbitrary number shared by all nodes. */
const migrationLock = 7_264_011_839;

/** Migrates the schema, each step in its own transaction, one node at a time. */
export async function migrate(client: ClientBase, database: string): Promise<SchemaChange> {
  const newest = migrations.length;
  if ((await requireKnownVersion(client, database)) === newest) return { from: newest, to: newest };
  await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
  try {
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
    const version = await requireKnownVersion(client, database);
    for (const [index, sql] of migrations.entries()) {
      if (index >= version) await runTransaction(client, () => migrateOnce(client, sql, index + 1));
    }
    return { from: version, to: newest };
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
  }
}

export async function requireMigrated(client: ClientBase, database: string): Promise<void> {
  const version = await readSchemaVersion(client);
  requireNewestSchema({ where: database, version, newest: migrations.length });
}

async function migrateOnce(client: ClientBase, sql: string, version: number): Promise<number> {
  await client.query(sql);
  await client.query('DELETE FROM schema_version');
  await client.query('INSERT INTO schema_version VALUES ($1)', [version]);
  return version;
}

async function requireKnownVersion(client: ClientBase, database: string): Promise<number> {
  const version = await readSchemaVersion(client);
  requireKnownSchema({ where: database, version, newest: migrations.length });
  return version;
}

/** 0 in an empty database. */
async function readSchemaVersion(client: ClientBase): Promise<number> {
  const { rows: tables } = await client.query("SELECT to_regclass('schema_version') IS NOT NULL AS known");
  if (!tables[0].known) return 0;
  const { rows } = await client.query('SELECT version FROM schema_version');
  return rows[0]?.version ?? 0;
}
