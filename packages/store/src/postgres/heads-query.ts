import { type StationAddress, stationKey } from '@roster/contract';
import type { ClientBase, Connection, Submittable } from 'pg';
import type { KnownStation } from './known-stations.ts';
import { addressKey } from './station-address-key.ts';

/** What the database knows of some stations. */
export interface Heads {
  /** By their keys; stations that do not exist are left out. */
  readonly stations: ReadonlyMap<string, KnownStation>;
  /** Of the same state of the database, or a later one. */
  readonly catalogRevision: number;
}

/** Asks where stations are, and the catalog. */
export async function queryHeads(client: ClientBase, addresses: readonly StationAddress[]): Promise<Heads> {
  if (addresses.length > 0) {
    const rows = await new Promise<readonly string[]>((resolve, reject) => {
      client.query(new HeadsQuery(addresses, resolve, reject));
    });
    // Where none of the stations exists, nothing was told of the catalog either.
    if (rows.length > 0) return readHeads(rows, addresses);
  }
  const { rows } = await client.query("SELECT value FROM meta WHERE key = 'catalog_revision'");
  return { stations: new Map(), catalogRevision: Number(rows[0].value) };
}

const name = 'heads';
/** Without a join, which would take PostgreSQL a third longer; with one field, since each takes us a microsecond. */
const text = `
  SELECT concat_ws(' ', (SELECT value FROM meta WHERE key = 'catalog_revision'),
    encode(address, 'hex'), id, epoch, revision, rev_id)
  FROM stations WHERE address = ANY ($1::bytea[])`;

/** What `pg` keeps of a connection beside what its types tell. */
interface PreparingConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
}

/**
 * A query as `pg` lets others write them. It is sent thousands of times a second and knows what comes back, so it
 * leaves out what a general one has to do: to ask for the columns, and to look up how each is read.
 */
class HeadsQuery implements Submittable {
  readonly name = name;
  readonly text = text;
  readonly #addresses: readonly StationAddress[];
  readonly #resolve: (rows: readonly string[]) => void;
  readonly #reject: (error: Error) => void;
  readonly #rows: string[] = [];

  constructor(
    addresses: readonly StationAddress[],
    resolve: (rows: readonly string[]) => void,
    reject: (error: Error) => void,
  ) {
    this.#addresses = addresses;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    const { stream, parsedStatements } = connection as PreparingConnection;
    if (parsedStatements[name] === undefined) connection.parse({ name, text, types: [] }, true);
    stream.write(messageFor(this.#addresses));
  }

  handleDataRow({ fields }: { fields: readonly [string] }): void {
    this.#rows.push(fields[0]);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve(this.#rows);
  }

  handleError(error: Error): void {
    this.#reject(error);
  }
}

interface ReadAnswer {
  readonly row: string;
  readonly heads: Heads;
}

const lastAnswers = new WeakMap<StationAddress, ReadAnswer>();

/** Most answers are about one station, and the same as the one before. */
function readHeads(rows: readonly string[], addresses: readonly StationAddress[]): Heads {
  const [address] = addresses;
  if (address === undefined || addresses.length > 1) return parseHeads(rows, addresses);
  const row = rows[0]!;
  const last = lastAnswers.get(address);
  if (last?.row === row) return last.heads;
  const heads = parseHeads(rows, addresses);
  lastAnswers.set(address, { row, heads });
  return heads;
}

function parseHeads(rows: readonly string[], addresses: readonly StationAddress[]): Heads {
  const asked = new Map(addresses.map((address) => [keyOf(address), address]));
  const stations = new Map<string, KnownStation>();
  let catalogRevision = 0;
  for (const row of rows) {
    const [catalog, key, id, epoch, revision, revId] = row.split(' ') as Fields;
    const address = asked.get(key)!;
    const head = { epoch, number: Number(revision), revId };
    stations.set(stationKey(address), { id: Number(id), address, head });
    catalogRevision = Number(catalog);
  }
  return { stations, catalogRevision };
}

type Fields = [catalog: string, key: string, id: string, epoch: string, revision: string, revId: string];

const messages = new WeakMap<StationAddress, Buffer>();

/** Most questions are for one station, and the same each time. */
function messageFor(addresses: readonly StationAddress[]): Buffer {
  const [address] = addresses;
  if (address === undefined || addresses.length > 1) return newMessage(addresses);
  return messages.getOrInsertComputed(address, () => newMessage(addresses));
}

/** Bind, Execute and Sync in the protocol of PostgreSQL: the statement with its one parameter, as text. */
function newMessage(addresses: readonly StationAddress[]): Buffer {
  const value = Buffer.from(`{${addresses.map((address) => `"\\\\x${keyOf(address)}"`).join()}}`);
  const parameter = Buffer.alloc(8);
  parameter.writeUInt16BE(1, 2);
  parameter.writeUInt32BE(value.length, 4);
  const bind = [Buffer.from(`\0${name}\0`), parameter, value, Buffer.alloc(2)];
  return Buffer.concat([...framed('B', bind), ...framed('E', [Buffer.alloc(5)]), ...framed('S', [])]);
}

function framed(type: string, parts: readonly Buffer[]): Buffer[] {
  const frame = Buffer.alloc(5, type);
  frame.writeUInt32BE(4 + parts.reduce((bytes, part) => bytes + part.length, 0), 1);
  return [frame, ...parts];
}

const keys = new WeakMap<StationAddress, string>();

/** The key of an address, in hexadecimal. */
function keyOf(address: StationAddress): string {
  return keys.getOrInsertComputed(address, () => addressKey(address).toString('hex'));
}
