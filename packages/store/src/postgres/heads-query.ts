import type { StationAddress } from '@roster/contract';
import type { ClientBase, Connection, Submittable } from 'pg';
import type { KnownStation } from './known-stations.ts';
import { addressKey } from './station-address-key.ts';

/** What the database knows of some stations. */
export interface Heads {
  /** In the order in which they were asked for; undefined for those that do not exist. */
  readonly stations: readonly (KnownStation | undefined)[];
  /** Of the same state of the database, or a later one. */
  readonly catalogRevision: number;
}

/** Hears of one of the two, once. */
export interface HeadsListener {
  /** Where one station was asked for and the answer is the same as the one before, it has the same `Head`. */
  onHeads(heads: Heads): void;
  onError(error: unknown): void;
}

/**
 * Asks where stations are, and the catalog. The listener hears of it as soon as the answer is read: under load every
 * list waits for this, and promises on the way would take a tenth of the node's share of it.
 */
export function queryHeads(
  client: ClientBase,
  addresses: readonly StationAddress[],
  listener: HeadsListener,
): void {
  const onError = (error: unknown) => listener.onError(error);
  const askForCatalog = () =>
    queryCatalogRevision(client)
      .then((catalogRevision) => ({ stations: addresses.map(() => undefined), catalogRevision }))
      .then((heads) => listener.onHeads(heads), onError);
  const onRows = (rows: readonly string[]) => {
    // Where none of the stations exists, nothing was told of the catalog either.
    if (rows.length === 0) void askForCatalog();
    else listener.onHeads(readHeads(rows, addresses));
  };
  if (addresses.length === 0) void askForCatalog();
  else client.query(new HeadsQuery(addresses, onRows, onError));
}

async function queryCatalogRevision(client: ClientBase): Promise<number> {
  const { rows } = await client.query("SELECT value FROM meta WHERE key = 'catalog_revision'");
  return Number(rows[0].value);
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
  const answers = rows.map((row) => row.split(' ') as Fields);
  const byKey = new Map(answers.map((fields) => [fields[1], fields]));
  return {
    stations: addresses.map((address) => {
      const fields = byKey.get(keyOf(address));
      return fields && toStation(fields, address);
    }),
    catalogRevision: Number(answers[0]![0]),
  };
}

function toStation([, , id, epoch, revision, revId]: Fields, address: StationAddress): KnownStation {
  return { id: Number(id), address, head: { epoch, number: Number(revision), revId } };
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
