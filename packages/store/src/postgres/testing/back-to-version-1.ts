/** Undoes every migration but the first. */
export const backToVersion1 = `
  DROP INDEX resources_alerting, resources_uncovered;
  DROP TABLE tokens, views, notes, trends;
  DELETE FROM meta WHERE key = 'trends_sampled_ms';
  DROP FUNCTION roster_damaged;
  ALTER TABLE stations DROP COLUMN checksum;
  ALTER TABLE revisions DROP COLUMN changed_by;
  ALTER TABLE resources DROP COLUMN checksum, DROP COLUMN state_since, DROP COLUMN labels;
  ALTER TABLE past_versions DROP COLUMN checksum, DROP COLUMN state_since, DROP COLUMN labels;
  ALTER TABLE resource_types DROP COLUMN checksum;
  UPDATE schema_version SET version = 1`;
