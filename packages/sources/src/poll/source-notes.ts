import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { NoteStore, TimeSlicer } from '@roster/engine';
import type { Alert } from '../alert.ts';
import { backgroundSlicer } from '../background-slicer.ts';
import type { SourceState } from './source-state.ts';
import type { SourceStatus, UnmatchedView } from './view-source.ts';
import { viewUntied } from './view-source.ts';

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

interface Written {
  readonly digest: string;
  /** Stays the same object while nothing changes. */
  readonly tied: SourceState['tied'];
  readonly atMs: number;
}

const statusKey = (source: string) => `source/${source}`;
const alertsKey = (source: string) => `alerts/${source}`;

/** Keeps what sources said in the notes of the store. */
export class SourceNotes {
  readonly #notes: NoteStore;
  readonly #written = new Map<string, Written>();
  readonly #read = new Map<string, { readonly version: number; readonly reading: KeptReading }>();

  constructor(notes: NoteStore) {
    this.#notes = notes;
  }

  async write(state: SourceState, status: SourceStatus): Promise<void> {
    const { name } = state.source;
    await this.#notes.write(statusKey(name), Buffer.from(JSON.stringify(status)));
    if (state.alerts === undefined || state.readAtMs === undefined) return;
    const { tied } = state;
    const written = this.#written.get(name);
    const nowMs = performance.now();
    const isRecent = written !== undefined && nowMs - written.atMs < refreshAlertsMs;
    if (isRecent && written.tied === tied) return;
    const slicer = backgroundSlicer();
    const digest = await digestOf(state, slicer);
    if (isRecent && written.digest === digest) {
      this.#written.set(name, { ...written, tied });
      return;
    }
    await this.#notes.write(alertsKey(name), await encode(state, slicer));
    this.#written.set(name, { digest, tied, atMs: nowMs });
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

const itemsPerClockCheck = 64;

/** Changes with what a state or a list of alerts depends on. */
async function digestOf(state: SourceState, slicer: TimeSlicer): Promise<string> {
  const hash = createHash('sha1');
  for (const [at, alert] of state.alerts!.entries()) {
    if (at % itemsPerClockCheck === 0 && slicer.isDue) await slicer.pause();
    const { fingerprint, silences, inhibitedBy } = alert;
    hash.update(`${fingerprint} ${alert.state} ${alert.sinceMs} ${inhibitedBy}`);
    for (const { id, untilMs } of silences) hash.update(`${id} ${untilMs}`);
  }
  const sizes = [...state.tied.values()].map(({ size }) => size);
  return hash.update(JSON.stringify([sizes, state.unmatchedCount, state.ambiguousCount])).digest('hex');
}

async function encode(state: SourceState, slicer: TimeSlicer): Promise<Uint8Array> {
  const { readAtMs, untied } = state;
  const alerts: string[] = [];
  const positions = new Map<Alert, number>();
  for (const alert of state.alerts!) {
    if (alerts.length % itemsPerClockCheck === 0 && slicer.isDue) await slicer.pause();
    positions.set(alert, alerts.length);
    alerts.push(JSON.stringify(alert));
  }
  const stations: string[] = [];
  for (const [station, byResource] of state.tied) {
    const resources: string[] = [];
    for (const [id, own] of byResource) {
      if (resources.length % itemsPerClockCheck === 0 && slicer.isDue) await slicer.pause();
      resources.push(`${JSON.stringify(id)}:[${own.map((alert) => positions.get(alert))}]`);
    }
    stations.push(`${JSON.stringify(station)}:{${resources.join()}}`);
  }
  const rest = JSON.stringify({ readAtMs, untied: untied.map(viewUntied) });
  return compress(`${rest.slice(0, -1)},"tied":{${stations.join()}},"alerts":[${alerts.join()}]}`);
}
