import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { NoteStore } from '@roster/engine';
import { TimeSlicer } from '@roster/engine';
import type { Alert } from '../alert.ts';
import type { SourceState } from './source-state.ts';
import type { SourceStatus, UnmatchedView } from './source-status.ts';
import { viewUntied } from './source-status.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Annotations often have values in them that change all the time; they alone are written this seldom. */
const refreshAlertsMs = 60_000;

/** What a source said, as it is kept for other nodes and for the next start. */
export interface KeptReading {
  readonly readAtMs: number;
  readonly alerts: readonly Alert[];
  /** By the key of the station: for each resource, the positions of its alerts. */
  readonly tied: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  readonly untied: readonly UnmatchedView[];
}

const statusKey = (source: string) => `source/${source}`;
const alertsKey = (source: string) => `alerts/${source}`;

/** Keeps what sources said in the notes of the store. */
export class SourceNotes {
  readonly #notes: NoteStore;
  readonly #written = new Map<string, { readonly digest: string; readonly atMs: number }>();
  readonly #read = new Map<string, { readonly version: number; readonly reading: KeptReading }>();

  constructor(notes: NoteStore) {
    this.#notes = notes;
  }

  async write(state: SourceState, status: SourceStatus): Promise<void> {
    const { name } = state.source;
    await this.#notes.write(statusKey(name), Buffer.from(JSON.stringify(status)));
    if (state.alerts === undefined || state.readAtMs === undefined) return;
    const digest = digestOf(state);
    const written = this.#written.get(name);
    const nowMs = performance.now();
    if (written?.digest === digest && nowMs - written.atMs < refreshAlertsMs) return;
    await this.#notes.write(alertsKey(name), await encode(state));
    this.#written.set(name, { digest, atMs: nowMs });
  }

  async status(source: string): Promise<SourceStatus | undefined> {
    const note = await this.#notes.read(statusKey(source));
    return note && JSON.parse(Buffer.from(note.body).toString());
  }

  /** Decoded once for each version. */
  async reading(source: string): Promise<KeptReading | undefined> {
    const key = alertsKey(source);
    const version = (await this.#notes.versions(key)).get(key);
    const known = this.#read.get(source);
    if (version === undefined || version === known?.version) return known?.reading;
    const note = await this.#notes.read(key);
    if (note === undefined) return undefined;
    const reading: KeptReading = JSON.parse((await decompress(note.body)).toString());
    this.#read.set(source, { version: note.version, reading });
    return reading;
  }
}

/** Changes with what a state or a list of alerts depends on. */
function digestOf({ alerts, tied, unmatchedCount, ambiguousCount }: SourceState): string {
  const parts = alerts!.map(
    ({ fingerprint, state, sinceMs, silences, inhibitedBy }) =>
      `${fingerprint}${state}${sinceMs}${silences.map(({ id, untilMs }) => `${id}${untilMs}`)}${inhibitedBy}`,
  );
  const sizes = [...tied.values()].map(({ size }) => size);
  return [...parts, ...sizes, unmatchedCount, ambiguousCount].join();
}

async function encode({ alerts, tied, readAtMs, untied }: SourceState): Promise<Uint8Array> {
  const slicer = new TimeSlicer();
  const texts: string[] = [];
  const positions = new Map<Alert, number>();
  for (const [at, alert] of alerts!.entries()) {
    if (at % 64 === 0 && slicer.isDue) await slicer.pause();
    texts.push(JSON.stringify(alert));
    positions.set(alert, at);
  }
  const ties: KeptReading['tied'] = Object.fromEntries(
    [...tied].map(([station, byResource]) => [
      station,
      Object.fromEntries([...byResource].map(([id, own]) => [id, own.map((alert) => positions.get(alert)!)])),
    ]),
  );
  const rest = JSON.stringify({ readAtMs, tied: ties, untied: untied.map(viewUntied) });
  return compress(`${rest.slice(0, -1)},"alerts":[${texts.join(',')}]}`);
}
