import type { SmallWritesFinding } from '../../findings.ts';
import { rosterStationPath } from '../../servers/contender.ts';
import { percentile } from '../../statistics.ts';
import { createStation } from '../imports/import-resources.ts';
import { renderChanges, renderRecords, StateChanges } from './state-changes.ts';
import { WriteConnection } from './write-connection.ts';
import { alternate, type WritesSubject } from './writes-subject.ts';

const sliceMs = 700;
const warmUpMs = 5000;
const smallStationSize = 1000;

export const smallWritesCases = [
  { name: 'W1', writers: 1, stations: 1 },
  { name: 'W2', writers: 16, stations: 1 },
  { name: 'W3', writers: 64, stations: 1 },
  { name: 'W4', writers: 64, stations: 64 },
] as const;

type SmallWritesCase = (typeof smallWritesCases)[number];

/** Acknowledged writes a second of one resource each, beside a plain store that is alone meanwhile. */
export async function measureSmallWrites(
  subject: WritesSubject,
  { name, writers, stations }: SmallWritesCase,
  rounds: number,
): Promise<SmallWritesFinding> {
  const open = (_: unknown, writer: number) =>
    stations === 1 ? openWriter(subject) : openStation(subject, `small-${writer}`);
  const all = await Promise.all(Array.from({ length: writers }, open));
  const finding: SmallWritesFinding = {
    case: name,
    size: subject.data.size,
    roster: [],
    plain: [],
    p50Ms: [],
    p99Ms: [],
  };
  await writeFor(all, warmUpMs);
  await alternate(
    rounds,
    async () => {
      const { perSecond, timesMs } = await writeFor(all, sliceMs);
      finding.roster.push(perSecond);
      finding.p50Ms.push(percentile(timesMs, 0.5));
      finding.p99Ms.push(percentile(timesMs, 0.99));
    },
    async () => {
      finding.plain.push(await writePlainly(subject));
    },
  );
  for (const { connection } of all) connection.close();
  return finding;
}

interface Writer {
  readonly connection: WriteConnection;
  readonly changes: StateChanges;
}

async function openWriter({ server, changes }: WritesSubject): Promise<Writer> {
  return { connection: await WriteConnection.open(server.origin, 'bench'), changes };
}

async function openStation({ server, data }: WritesSubject, station: string): Promise<Writer> {
  await createStation(server.origin, station);
  const response = await fetch(`${server.origin}${rosterStationPath(station)}/resources`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: renderRecords(data.resources.slice(0, smallStationSize)),
  });
  if (!response.ok) throw new Error(`a station was not filled: ${await response.text()}`);
  const connection = await WriteConnection.open(server.origin, station);
  return { connection, changes: new StateChanges({ ...data, size: smallStationSize }) };
}

async function writeFor(writers: readonly Writer[], ms: number) {
  const startedMs = performance.now();
  const timesMs: number[] = [];
  await Promise.all(
    writers.map(async ({ connection, changes }) => {
      while (performance.now() - startedMs < ms) {
        const sentMs = performance.now();
        await connection.write([changes.next()]);
        timesMs.push(performance.now() - sentMs);
      }
    }),
  );
  return { perSecond: (timesMs.length * 1000) / (performance.now() - startedMs), timesMs };
}

async function writePlainly({ plain, plainChanges }: WritesSubject): Promise<number> {
  const startedMs = performance.now();
  let writes = 0;
  for (; performance.now() - startedMs < sliceMs; writes++) {
    await plain.write(renderChanges([plainChanges.next()]));
  }
  return (writes * 1000) / (performance.now() - startedMs);
}
