/** Undoes the migration to `created_revision`. */
export const withoutCreation = `
  ALTER TABLE resources DROP COLUMN created_revision, DROP COLUMN uncovered;
  DROP TABLE alerting;
  ALTER TABLE past_versions DROP COLUMN created_revision;
  CREATE INDEX resources_by_revision ON resources (station_id, revision, id);
  CREATE INDEX past_versions_by_revision ON past_versions (station_id, revision, id);`;

/** Undoes every migration but the first. */
export const backToVersion1 = `
  ALTER TABLE resources DROP COLUMN checksum, DROP COLUMN state_since, DROP COLUMN labels;
  ALTER TABLE past_versions DROP COLUMN checksum, DROP COLUMN state_since, DROP COLUMN labels;
  ${withoutCreation}
  DROP TABLE tokens, views, notes, trends;
  DELETE FROM meta WHERE key = 'trends_sampled_ms';
  DROP FUNCTION roster_damaged;
  ALTER TABLE stations DROP COLUMN checksum;
  ALTER TABLE revisions DROP COLUMN changed_by;
  ALTER TABLE resource_types DROP COLUMN checksum;
  UPDATE schema_version SET version = 1`;
