import { expect, it } from 'vitest';
import type { StoreFixture } from './fixture/store-fixture.ts';

const bytes = (text: string) => Buffer.from(text);

export function noteContract(fixture: StoreFixture): void {
  const textOf = async (key: string) => {
    const note = await fixture.store.notes.read(key);
    return note && Buffer.from(note.body).toString();
  };

  it('keeps notes as they are, also after it was closed and opened', async () => {
    const body = Buffer.from([0, 1, 255, 254, 10, 13]);
    await fixture.store.notes.write('kept/ä', body);
    await fixture.store.notes.write('kept/empty', Buffer.alloc(0));
    const { notes } = await fixture.reopen();
    expect(Buffer.from((await notes.read('kept/ä'))!.body)).toEqual(body);
    expect((await notes.read('kept/empty'))!.body).toHaveLength(0);
    expect(await notes.read('kept/none')).toBeUndefined();
  });

  it('gives every write a new version', async () => {
    const { notes } = fixture.store;
    const first = await notes.write('versions', bytes('a'));
    const second = await notes.write('versions', bytes('a'));
    expect(second).not.toBe(first);
    expect((await notes.read('versions'))!.version).toBe(second);
  });

  it('writes a note only in the expected version, if one is given', async () => {
    const { notes } = fixture.store;
    const first = (await notes.write('once', bytes('a'), 0))!;
    expect(await notes.write('once', bytes('b'), 0)).toBeUndefined();
    const second = (await notes.write('once', bytes('b'), first))!;
    expect(await notes.write('once', bytes('c'), first)).toBeUndefined();
    expect(await textOf('once')).toBe('b');
    expect(await notes.write('once', bytes('c'), second)).toBeDefined();
    expect(await notes.write('nothing', bytes('c'), 7)).toBeUndefined();
    expect(await textOf('nothing')).toBeUndefined();
  });

  it('lets exactly one of many writers with the same version win', async () => {
    const { notes } = fixture.store;
    const version = (await notes.write('race', bytes('')))!;
    const writes = Array.from({ length: 8 }, (_, n) => notes.write('race', bytes(`${n}`), version));
    const won = (await Promise.all(writes)).filter((result) => result !== undefined);
    expect(won).toHaveLength(1);
  });

  it('lists the versions of keys by prefix, taken literally, and removes notes', async () => {
    const { notes } = fixture.store;
    for (const key of ['list/b', 'list/a', 'list_c', 'lisT/d', 'list/%']) await notes.write(key, bytes(key));
    expect([...(await notes.versions('list/')).keys()]).toEqual(['list/%', 'list/a', 'list/b']);
    expect([...(await notes.versions('list/%')).keys()]).toEqual(['list/%']);
    await notes.remove(['list/a', 'list/none']);
    expect([...(await notes.versions('list/')).keys()]).toEqual(['list/%', 'list/b']);
    expect(await textOf('list/a')).toBeUndefined();
  });
}
