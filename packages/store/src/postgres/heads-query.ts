import type { StationAddress } from '@roster/contract';
import type { ClientBase, Connection, Submittable } from 'pg';
import { addressKey } from './station-address-key.ts';

/** What the database knows of one station, and the revision of the catalog at that time. */
export interface HeadRow {
  readonly catalogRevision: number;
  /** Where among the addresses that were asked for it is, from 0; undefined in the one row when there is none of them. */
  readonly place: number | undefined;
  readonly id: number;
  readonly epoch: string;
  readonly revision: number;
  readonly revId: string;
}

/** Asks where stations are. There is always a row, for the sake of the catalog. */
export function queryHeads(client: ClientBase, addresses: readonly StationAddress[]): Promise<HeadRow[]> {
  return new Promise((resolve, reject) => {
    client.query(new HeadsQuery(addresses, resolve, reject));
  });
}

const name = 'heads';
const text = `
  SELECT m.value, s.place, s.id, s.epoch, s.revision, s.rev_id
  FROM meta m LEFT JOIN (
    unnest($1::bytea[]) WITH ORDINALITY AS asked (address, place) JOIN stations USING (address)
  ) AS s ON true
  WHERE m.key = 'catalog_revision'`;

/** What `pg` keeps of a connection beside what its types tell. */
interface PreparingConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
}

type Fields = readonly [
  catalogRevision: string,
  place: string | null,
  id: string,
  epoch: string,
  revision: string,
  revId: string,
];

/**
 * A query as `pg` lets others write them. It is sent thousands of times a second and knows what comes back, so it
 * leaves out what a general one has to do: to ask for the columns, and to look up how each is read.
 */
class HeadsQuery implements Submittable {
  readonly name = name;
  readonly text = text;
  readonly #addresses: readonly StationAddress[];
  readonly #resolve: (rows: HeadRow[]) => void;
  readonly #reject: (error: Error) => void;
  readonly #rows: HeadRow[] = [];

  constructor(
    addresses: readonly StationAddress[],
    resolve: (rows: HeadRow[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#addresses = addresses;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    const { stream, parsedStatements } = connection as PreparingConnection;
    stream.cork();
    if (parsedStatements[name] === undefined) connection.parse({ name, text, types: [] }, true);
    connection.bind({ statement: name, values: [arrayOf(this.#addresses)] }, true);
    connection.execute(null, true);
    connection.sync();
    stream.uncork();
  }

  handleDataRow({ fields }: { fields: Fields }): void {
    const [catalogRevision, place, id, epoch, revision, revId] = fields;
    this.#rows.push({
      catalogRevision: Number(catalogRevision),
      place: place === null ? undefined : Number(place) - 1,
      id: Number(id),
      epoch,
      revision: Number(revision),
      revId,
    });
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve(this.#rows);
  }

  handleError(error: Error): void {
    this.#reject(error);
  }
}

const literals = new WeakMap<StationAddress, string>();

function arrayOf(addresses: readonly StationAddress[]): string {
  return `{${addresses.map(literalOf).join()}}`;
}

function literalOf(address: StationAddress): string {
  return literals.getOrInsertComputed(address, () => `"\\\\x${addressKey(address).toString('hex')}"`);
}
