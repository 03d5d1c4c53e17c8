import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { everything, type StationAddress } from '@roster/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../../../../testing/scale.ts';
import { Digest } from '../../port/digest.ts';
import { RenderedResources } from '../../port/rendered-resources.ts';
import { TimeSlicer } from '../../scheduling/time-slicer.ts';
import {
  anyChange,
  anyQuery,
  backgroundResources,
  headAt,
  labelOfType,
} from '../../testing/snapshots/arbitrary-station.ts';
import { buildResource } from '../../testing/snapshots/build-resource.ts';
import { expectEqual } from '../../testing/snapshots/expect-equal.ts';
import { feedOf, NaiveStation, type PlainChunk } from '../../testing/snapshots/naive-station.ts';
import { buildSnapshot, emptySnapshot } from '../build/build-snapshot.ts';
import { checkSnapshot } from '../check-snapshot.ts';
import { rowOf, segmentOf } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import { SavedSnapshots } from './saved-snapshots.ts';

const address: StationAddress = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 't' };
const other: StationAddress = { ...address, name: 'other' };

let directory: string;
let damages: unknown[];
let saved: SavedSnapshots;

beforeEach(() => {
  directory = path.join(mkdtempSync(path.join(os.tmpdir(), 'roster-saved-')), 'snapshots');
  damages = [];
  saved = open('1.0.0');
});

afterEach(() => rmSync(path.dirname(directory), { recursive: true }));

function open(writtenBy: string): SavedSnapshots {
  return new SavedSnapshots({ directory, writtenBy, onUnreadable: (_, error) => damages.push(error) });
}

/** The snapshot after all these changes, and what it has to show. */
async function build(...parts: PlainChunk[]): Promise<{ snapshot: Snapshot; model: NaiveStation }> {
  const model = new NaiveStation();
  let snapshot = emptySnapshot(headAt(0), labelOfType);
  for (const [at, part] of parts.entries()) {
    model.apply(part);
    snapshot = await buildSnapshot(snapshot, feedOf(headAt(at + 1), [part]), labelOfType);
  }
  return { snapshot, model };
}

function save(snapshot: Snapshot, signal = new AbortController().signal): Promise<void> {
  return saved.save(address, snapshot, { slicer: new TimeSlicer(), signal });
}

function digestOf({ resources }: NaiveStation): string {
  const digest = new Digest();
  digest.addAll(RenderedResources.of([...resources.values()]));
  return digest.toString();
}

function theFile(): string {
  const [name, ...more] = readdirSync(directory);
  expect(more).toEqual([]);
  return path.join(directory, name!);
}

it('gives back any station as it was, on which any change can be built', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.constant(0), fc.nat(300), fc.nat(9000)),
      fc.array(anyChange, { maxLength: 5 }),
      anyChange,
      fc.array(anyQuery, { minLength: 1, maxLength: 8 }),
      async (backgroundSize, changes, later, queries) => {
        const background = { put: backgroundResources(backgroundSize), removed: [] };
        const { snapshot, model } = await build(background, ...changes);
        await save(snapshot);
        const restored = (await saved.load(address, labelOfType))!;
        expect(restored.head).toEqual(snapshot.head);
        expect(restored.size).toBe(model.resources.size);
        expect(await checkSnapshot(restored, digestOf(model))).toBeUndefined();
        for (const query of [everything, ...queries]) {
          expectEqual(restored, model, query);
          expect(restored.summarise(query)).toEqual(model.summarise(query));
        }
        const next = await buildSnapshot(restored, feedOf(headAt(99), [later]), labelOfType);
        model.apply(later);
        expect(await checkSnapshot(next, digestOf(model))).toBeUndefined();
        for (const query of [everything, ...queries]) expectEqual(next, model, query);
      },
    ),
    { numRuns: scale(8, 60) },
  );
  expect(damages).toEqual([]);
});

it('keeps names of every sort, and rows of every size', async () => {
  const texts = ['"', '\\', '\n', '\ud800', '\udc00\ud800', '\0', '节点', '\u{1F600}', ',', '],["'];
  const put = texts.map((text, at) =>
    buildResource({ resourceId: `${text}${at}`, displayName: `${text} ${at}`, sku: text.repeat(20_000) }),
  );
  const { snapshot } = await build({ put, removed: [] });
  await save(snapshot);
  const restored = (await saved.load(address, labelOfType))!;
  expect(restored.segments[0]!.ids).toEqual(snapshot.segments[0]!.ids);
  expect(restored.segments[0]!.displayNames).toEqual(snapshot.segments[0]!.displayNames);
  for (let slot = 0; slot < put.length; slot++) expect(restored.tailOf(slot)).toBe(snapshot.tailOf(slot));
});

longOnly(it)('keeps the rows of a large station, which share memory, and what was built on it', async () => {
  const put = backgroundResources(9_000).map((each, at) => ({
    ...each,
    sku: `${at}`.padEnd(4000, 'x'),
  }));
  const { snapshot, model } = await build({ put, removed: [] });
  await save(snapshot);
  const restored = (await saved.load(address, labelOfType))!;
  const before = digestOf(model);
  const half = {
    put: put.filter((_, at) => at % 2 === 0).map((each) => ({ ...each, sku: 'other' })),
    removed: [],
  };
  model.apply(half);
  for (const each of [snapshot, restored]) {
    const buffers = new Set(each.segments.map(({ bytes }) => bytes.buffer));
    expect(buffers.size).toBeLessThan(each.segments.length);
    const next = await buildSnapshot(each, feedOf(headAt(99), [half]), labelOfType);
    expect(await checkSnapshot(next, digestOf(model))).toBeUndefined();
    expect(await checkSnapshot(each, before)).toBeUndefined();
  }
});

it('keeps the labels that rows were rendered with, and takes newer ones for types that are new', async () => {
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  const restored = (await saved.load(address, (typeKey) => `Newer label of ${typeKey}`))!;
  const put = [buildResource({ resourceId: 'new', typeKey: 'resource_type.new' })];
  const next = await buildSnapshot(restored, feedOf(headAt(2), [{ put, removed: [] }]), labelOfType);
  const labels = new Map([...next.buckets.values()].map(({ typeKey, label }) => [typeKey, label]));
  expect(labels.get('resource_type.compute.vm')).toBe('Label of resource_type.compute.vm');
  expect(labels.get('resource_type.new')).toBe('Newer label of resource_type.new');
});

it('notices every damage, tells of it, and removes the file', async () => {
  const { snapshot } = await build({ put: backgroundResources(5_000), removed: [] });
  await save(snapshot);
  const file = theFile();
  const whole = readFileSync(file);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.constantFrom('bits', 'end', 'zeros'),
      async (at, mask, damage) => {
        damages = [];
        const broken = Buffer.from(whole);
        if (damage === 'bits') broken[at]! ^= mask;
        if (damage === 'zeros') broken.fill(0, at);
        fc.pre(damage === 'end' || !broken.equals(whole));
        writeFileSync(file, broken);
        if (damage === 'end') truncateSync(file, at);
        expect(await saved.load(address, labelOfType)).toBeUndefined();
        expect(damages).toHaveLength(1);
        expect(readdirSync(directory)).toEqual([]);
      },
    ),
    { numRuns: scale(60, 300) },
  );
  writeFileSync(file, whole);
  expect((await saved.load(address, labelOfType))?.size).toBe(5_000);
  expect(theFile()).toBe(file);
});

it('gives a type one label, however it was called when its buckets came, also when it is saved again', async () => {
  let label = 'First';
  const labelOf = () => label;
  const ofState = (state: string) =>
    buildResource({ resourceId: state, name: state, typeKey: 'resource_type.new', state });
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  let restored = (await saved.load(address, labelOf))!;
  let number = 2;
  for (const states of [
    ['ALERTSTATE_1', 'ALERTSTATE_2'],
    ['ALERTSTATE_3', 'ALERTSTATE_4'],
  ]) {
    for (const state of states) {
      const part = { put: [ofState(state)], removed: [] };
      const next = await buildSnapshot(restored, feedOf(headAt(number++), [part]), labelOf);
      expect(next.segments[0]).toBe(restored.segments[0]);
      restored = next;
      label = `Not ${label}`;
    }
    await save(restored);
    restored = (await saved.load(address, labelOf))!;
    const buckets = [...restored.buckets.values()].filter(({ typeKey }) => typeKey === 'resource_type.new');
    expect(buckets.map((bucket) => bucket.label)).toEqual(new Array(number - 2).fill('First'));
    const ids = buckets.map(({ state }) => state);
    for (const id of ids) {
      const slot = restored.find(id);
      expect(rowAt(restored, slot)).toContain('"label":"First"');
    }
  }
});

function rowAt({ segments }: Snapshot, slot: number): string {
  const { bytes, starts, ends } = segmentOf(segments, slot);
  return bytes.toString('utf8', starts[rowOf(slot)], ends[rowOf(slot)]);
}

it.each([
  ['format', 'roster snapshot 2', 'roster snapshot 0'],
  ['order of bytes', `, ${os.endianness()}: `, ', XX: '],
])('reads nothing of another %s, and calls it no damage', async (_, own, another) => {
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  const file = theFile();
  const bytes = readFileSync(file);
  const contents = bytes.subarray(bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8), -8);
  contents.write(another, contents.indexOf(own));
  bytes.writeUInt32LE(crc32(contents), bytes.length - 4);
  writeFileSync(file, bytes);
  expect(await saved.load(address, labelOfType)).toBeUndefined();
  expect(damages).toEqual([]);
  await save(snapshot);
  expect((await saved.load(address, labelOfType))?.size).toBe(100);
});

it('keeps a file that the system refuses to read', async () => {
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  const file = theFile();
  renameSync(file, `${file}.away`);
  symlinkSync(file, file);
  expect(await saved.load(address, labelOfType)).toBeUndefined();
  expect(damages).toMatchObject([{ code: 'ELOOP' }]);
  expect(readdirSync(directory)).toHaveLength(2);
  await saved.remove(address);
  renameSync(`${file}.away`, file);
  expect((await saved.load(address, labelOfType))?.size).toBe(100);
});

const inItsPlace: Record<string, (file: string) => void> = {
  'a directory': (file) => void mkdirSync(path.join(file, 'with more'), { recursive: true }),
  'a pipe': (file) => void execFileSync('mkfifo', [file]),
  'a device': (file) => symlinkSync('/dev/zero', file),
  'an empty file': (file) => writeFileSync(file, ''),
  'a file of zeros': (file) => writeFileSync(file, Buffer.alloc(100)),
};

it.each(Object.entries(inItsPlace))('removes %s that lies in the place of its file', async (_, put) => {
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  const file = theFile();
  rmSync(file);
  put(file);
  expect(await saved.load(address, labelOfType)).toBeUndefined();
  expect(damages.map((error) => (error as Error).message)).toEqual([
    expect.stringMatching(/^(the file is damaged|it is not a regular file)$/),
  ]);
  expect(readdirSync(directory)).toEqual([]);
  await save(snapshot);
  expect((await saved.load(address, labelOfType))?.size).toBe(100);
});

it('reads nothing that another version of Roster has written, and calls it no damage', async () => {
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  expect(await open('1.0.1').load(address, labelOfType)).toBeUndefined();
  expect(damages).toEqual([]);
  expect((await saved.load(address, labelOfType))?.size).toBe(100);
});

it('has nothing for a station that was not saved, or was removed', async () => {
  expect(await saved.load(address, labelOfType)).toBeUndefined();
  await saved.keepOnly([address]);
  await saved.remove(address);
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  expect(await saved.load(other, labelOfType)).toBeUndefined();
  await saved.remove(address);
  expect(await saved.load(address, labelOfType)).toBeUndefined();
  expect(damages).toEqual([]);
});

shortOnly(it)('keeps the one before when a save is aborted, and leaves nothing else behind', async () => {
  const before = await build({ put: backgroundResources(100), removed: [] });
  await save(before.snapshot);
  const { snapshot } = await build({ put: backgroundResources(20_000), removed: [] });
  for (const afterMs of [undefined, 0, 5]) {
    const abort = new AbortController();
    const saving = save(snapshot, abort.signal);
    if (afterMs !== undefined) await sleep(afterMs);
    abort.abort();
    await expect(saving).rejects.toThrow();
    theFile();
    expect((await saved.load(address, labelOfType))?.size).toBe(100);
  }
});

it.each([
  [10_000, scale(10, 60)],
  [10, scale(200, 2_000)],
])(
  'leaves nothing of a station of %i that is removed while it is saved, at any moment',
  async (size, rounds) => {
    const { snapshot } = await build({ put: backgroundResources(size), removed: [] });
    await save(snapshot);
    const startedAt = performance.now();
    await save(snapshot);
    const takesMs = performance.now() - startedAt;
    for (let round = 0; round <= rounds; round++) {
      const saving = save(snapshot);
      const untilMs = performance.now() + (takesMs * round) / rounds;
      while (performance.now() < untilMs) await setImmediate();
      await saved.remove(address);
      await saving;
      expect(readdirSync(directory)).toEqual([]);
    }
  },
);

shortOnly(it)('gives way to other work while it saves', async () => {
  const { snapshot } = await build({ put: backgroundResources(10_000), removed: [] });
  const slicer = new CountingSlicer({ sliceMs: 0, restMs: 0 });
  await saved.save(address, snapshot, { slicer, signal: new AbortController().signal });
  expect(slicer.pauses).toBeGreaterThan(100);
});

class CountingSlicer extends TimeSlicer {
  pauses = 0;

  override pause(): Promise<void> {
    this.pauses++;
    return super.pause();
  }
}

it('keeps only the files of stations that there are, and what is not its own', async () => {
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  const file = theFile();
  const foreign = ['2026-11-15.snapshot', 'README', 'roster.db', `${'a'.repeat(64)}.snapshot.gz`];
  await saved.save(other, snapshot, { slicer: new TimeSlicer(), signal: new AbortController().signal });
  writeFileSync(`${file}.unfinished`, 'what a crash has left');
  for (const name of foreign) writeFileSync(path.join(directory, name), 'of somebody else');
  await saved.keepOnly([address]);
  expect(readdirSync(directory).sort()).toEqual([path.basename(file), ...foreign].sort());
});

it('lets nobody else read what it saves', async () => {
  const { snapshot } = await build({ put: backgroundResources(100), removed: [] });
  await save(snapshot);
  expect(statSync(directory).mode & 0o007).toBe(0);
  expect(statSync(theFile()).mode & 0o007).toBe(0);
});
