import type { StationAddress } from '@roster/contract';
import type { ClientBase, Connection, Submittable } from 'pg';
import { addressKey } from './station-address-key.ts';

/** What the database knows of some stations. */
export interface Heads {
  readonly stations: readonly HeadRow[];
  /** Of the same state of the database, or a later one. */
  readonly catalogRevision: number;
}

export interface HeadRow {
  /** Where among the addresses that were asked for it is, from 0. */
  readonly place: number;
  readonly id: number;
  readonly epoch: string;
  readonly revision: number;
  readonly revId: string;
}

/** Asks where stations are, and the catalog. */
export async function queryHeads(client: ClientBase, addresses: readonly StationAddress[]): Promise<Heads> {
  if (addresses.length > 0) {
    const heads = await new Promise<Heads | undefined>((resolve, reject) => {
      client.query(new HeadsQuery(addresses, resolve, reject));
    });
    if (heads !== undefined) return heads;
  }
  const { rows } = await client.query("SELECT value FROM meta WHERE key = 'catalog_revision'");
  return { stations: [], catalogRevision: Number(rows[0].value) };
}

const name = 'heads';
/** Without a join, which would take PostgreSQL a third longer. */
const text = `
  SELECT (SELECT value FROM meta WHERE key = 'catalog_revision'), encode(address, 'hex'), id, epoch, revision, rev_id
  FROM stations WHERE address = ANY ($1::bytea[])`;

/** What `pg` keeps of a connection beside what its types tell. */
interface PreparingConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
}

type Fields = readonly [
  catalogRevision: string,
  key: string,
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
  readonly #resolve: (heads: Heads | undefined) => void;
  readonly #reject: (error: Error) => void;
  readonly #stations: HeadRow[] = [];
  #catalogRevision: number | undefined;
  /** By key; made when more than one was asked for. */
  #places: Map<string, number> | undefined;

  constructor(
    addresses: readonly StationAddress[],
    resolve: (heads: Heads | undefined) => void,
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

  handleDataRow({ fields }: { fields: Fields }): void {
    const [catalogRevision, key, id, epoch, revision, revId] = fields;
    this.#catalogRevision = Number(catalogRevision);
    this.#stations.push({
      place: this.#placeOf(key),
      id: Number(id),
      epoch,
      revision: Number(revision),
      revId,
    });
  }

  handleCommandComplete(): void {}

  /** With undefined when none of the stations exists: then nothing was told of the catalog either. */
  handleReadyForQuery(): void {
    const catalogRevision = this.#catalogRevision;
    this.#resolve(catalogRevision === undefined ? undefined : { stations: this.#stations, catalogRevision });
  }

  handleError(error: Error): void {
    this.#reject(error);
  }

  #placeOf(key: string): number {
    if (this.#addresses.length === 1) return 0;
    this.#places ??= new Map(this.#addresses.map((asked, place) => [keyOf(asked), place]));
    return this.#places.get(key)!;
  }
}

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
