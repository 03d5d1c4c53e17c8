import type { StationAddress } from '@roster/contract';
import type { ClientBase, Connection, Submittable } from 'pg';
import { addressKey } from '../schema/find-station.ts';
import type { KnownStation } from './known-stations.ts';

export interface Heads {
  /** In the order asked for; undefined where there is no such station. */
  readonly stations: readonly (KnownStation | undefined)[];
  /** From the same state of the database, or a later one. */
  readonly catalogRevision: number;
}

/** Exactly one of the two is called, once. */
export interface HeadsListener {
  /** If a single station was asked for and the answer repeats the last one, the `Head` is the same object. */
  onHeads(heads: Heads): void;
  onError(error: unknown): void;
}

/**
 * Asks for the heads of stations and the catalog revision. The listener is called as soon as the answer is
 * read, without promises in between: every list waits for this. With `pg`'s own queries and promises a list
 * takes a fifth more processor time (`npm run bench -- --store postgres --cases C1,C4`).
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
    // Without a station the answer has no row, and so no catalog revision.
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
/** A join would take PostgreSQL a third longer; each field takes the driver a microsecond. */
const text = `
  SELECT concat_ws(' ', (SELECT value FROM meta WHERE key = 'catalog_revision'),
    encode(address, 'hex'), id, epoch, revision, rev_id)
  FROM stations WHERE address = ANY ($1::bytea[])`;

/** A field of `pg` that its types do not declare. */
interface PreparingConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
}

/**
 * A custom query for `pg`. It is sent thousands of times a second and its result is known, so it skips
 * describing the columns and looking up their parsers.
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

/** Most answers concern one station and repeat the last one. */
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

/** Most questions concern one station and never change. */
function messageFor(addresses: readonly StationAddress[]): Buffer {
  const [address] = addresses;
  if (address === undefined || addresses.length > 1) return newMessage(addresses);
  return messages.getOrInsertComputed(address, () => newMessage(addresses));
}

/** The protocol messages Bind, Execute and Sync, with one parameter as text. */
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
