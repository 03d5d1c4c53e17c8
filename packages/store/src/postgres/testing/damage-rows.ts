import type { DamagingUpdate } from '@roster/engine/testing';
import { rowChecksum } from '../schema/row-checksums.ts';
import type { PostgresServer } from './postgres-server.ts';

/** Changes rows and leaves their checksums as they are. From then on a trigger makes them in place of the expression. */
export async function damageRows(
  server: PostgresServer,
  url: string,
  { table, set, where }: DamagingUpdate,
): Promise<void> {
  await server.query(
    `ALTER TABLE ${table} ALTER COLUMN checksum DROP EXPRESSION IF EXISTS;
     DROP TRIGGER IF EXISTS seal ON ${table};
     UPDATE ${table} SET ${set} WHERE ${where};
     CREATE OR REPLACE FUNCTION seal_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       NEW.checksum := ${rowChecksum(table, 'NEW')};
       RETURN NEW;
     END
     $$;
     CREATE TRIGGER seal BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION seal_${table}()`,
    url,
  );
}
