import { expect, it } from 'vitest';
import type { StoredToken, TokenStore } from '../../port/store.ts';
import { aRecord, put, stage, station } from './fixture/contract-data.ts';
import type { StoreFixture } from './fixture/store-fixture.ts';

export function aToken(id: string, given: Partial<StoredToken> = {}): StoredToken {
  return {
    id,
    name: `token ${id}`,
    hash: Buffer.from(id).toString('hex').padStart(64, '0'),
    role: 'reader',
    scopes: ['**'],
    createdAtMs: 1_700_000_000_000,
    createdBy: 'first',
    makerId: undefined,
    expiresAtMs: undefined,
    lastUsedAtMs: undefined,
    ...given,
  };
}

async function idsOf(tokens: TokenStore): Promise<string[]> {
  return (await tokens.list()).map(({ id }) => id);
}

export function tokenContract(fixture: StoreFixture): void {
  it('has no tokens at first', async () => {
    expect(await fixture.store.tokens.list()).toEqual([]);
  });

  it('keeps every field of a token, also after it was closed and opened', async () => {
    const plain = aToken('a');
    const full = aToken('b', {
      name: `"quoted", 100% of 'it' \\ 机器 🦄 ${'x'.repeat(180)}`,
      role: 'admin',
      scopes: ['subscriptions/a%2Cb/**', 'subscriptions/{"x"}/resourceGroups/%2A*/**', ''],
      createdAtMs: 1_700_000_000_001,
      createdBy: 'somebody@example.org, NULL',
      expiresAtMs: 9_000_000_000_000,
      lastUsedAtMs: 1_700_000_000_002,
    });
    const scopeless = aToken('c', { scopes: [], createdAtMs: 1_700_000_000_003, expiresAtMs: 0 });
    for (const token of [plain, full, scopeless]) await fixture.store.tokens.add(token);
    expect(await fixture.store.tokens.list()).toEqual([plain, full, scopeless]);
    expect(await (await fixture.reopen()).tokens.list()).toEqual([plain, full, scopeless]);
  });

  it('lists tokens by the time of their creation, then by id', async () => {
    const { tokens } = fixture.store;
    await tokens.add(aToken('b', { createdAtMs: 2 }));
    await tokens.add(aToken('a', { createdAtMs: 2 }));
    await tokens.add(aToken('B', { createdAtMs: 2 }));
    await tokens.add(aToken('z', { createdAtMs: 1 }));
    expect(await idsOf(tokens)).toEqual(['z', 'B', 'a', 'b']);
  });

  it('refuses a second token of the same id or hash, and keeps the first', async () => {
    const { tokens } = fixture.store;
    const first = aToken('a');
    await tokens.add(first);
    const again = { code: 'internal', message: expect.stringContaining('already a token') };
    await expect(tokens.add({ ...first, hash: 'f'.repeat(64) })).rejects.toMatchObject(again);
    await expect(tokens.add({ ...first, id: 'b' })).rejects.toMatchObject(again);
    expect(await tokens.list()).toEqual([first]);
    await tokens.add(aToken('b'));
    expect(await idsOf(tokens)).toEqual(['a', 'b']);
  });

  it('removes what a token made with it, and what that made, if asked to', async () => {
    const { tokens } = fixture.store;
    await tokens.add(aToken('other'));
    await tokens.add(aToken('root'));
    for (const [id, makerId] of ['a root', 'b a', 'c b', 'd root'].map((pair) => pair.split(' '))) {
      await tokens.add(aToken(id!, { makerId: makerId! }));
    }
    expect([...(await tokens.remove('a', { cascade: true }))].sort()).toEqual(['a', 'b', 'c']);
    expect((await idsOf(tokens)).sort()).toEqual(['d', 'other', 'root']);
    expect(await tokens.remove('a', { cascade: true })).toEqual([]);
    expect([...(await tokens.remove('root', { cascade: true }))].sort()).toEqual(['d', 'root']);
    expect(await idsOf(tokens)).toEqual(['other']);
  });

  it('counts what a token made as made by its maker when it is gone', async () => {
    const { tokens } = fixture.store;
    await tokens.add(aToken('root'));
    for (const [id, makerId] of ['a root', 'b a', 'c b'].map((pair) => pair.split(' '))) {
      await tokens.add(aToken(id!, { makerId: makerId! }));
    }
    expect(await tokens.remove('a')).toEqual(['a']);
    expect(await tokens.list()).toContainEqual(aToken('b', { makerId: 'root' }));
    expect([...(await tokens.remove('root', { cascade: true }))].sort()).toEqual(['b', 'c', 'root']);
    await tokens.add(aToken('made'));
    await tokens.add(aToken('left', { makerId: 'made' }));
    await tokens.remove('made');
    expect(await tokens.list()).toEqual([aToken('left')]);
  });

  it('adds nothing that a token made which is gone', async () => {
    const { tokens } = fixture.store;
    const orphan = tokens.add(aToken('orphan', { makerId: 'gone' }));
    await expect(orphan).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await idsOf(tokens)).toEqual([]);
  });

  it('leaves no token behind that is made while its maker is removed', async () => {
    const { tokens } = fixture.store;
    await tokens.add(aToken('root'));
    await tokens.add(aToken('a', { makerId: 'root' }));
    await Promise.allSettled([
      ...Array.from({ length: 5 }, (_, n) => tokens.add(aToken(`early-${n}`, { makerId: 'a' }))),
      tokens.remove('root', { cascade: true }),
      ...Array.from({ length: 5 }, (_, n) => tokens.add(aToken(`late-${n}`, { makerId: 'a' }))),
    ]);
    expect(await idsOf(tokens)).toEqual([]);
  });

  it('removes a token for good', async () => {
    const { tokens } = fixture.store;
    await tokens.add(aToken('a'));
    await tokens.add(aToken('b'));
    expect(await tokens.remove('a')).toEqual(['a']);
    expect(await tokens.remove('a')).toEqual([]);
    expect(await tokens.remove('no such token')).toEqual([]);
    expect(await tokens.remove('\0')).toEqual([]);
    expect(await tokens.remove('\ud800')).toEqual([]);
    expect(await idsOf(tokens)).toEqual(['b']);
    expect(await idsOf((await fixture.reopen()).tokens)).toEqual(['b']);
  });

  it('records when tokens were last used, and never goes back', async () => {
    const { tokens } = fixture.store;
    await tokens.add(aToken('a'));
    await tokens.add(aToken('b', { lastUsedAtMs: 50 }));
    await tokens.add(aToken('c'));
    const lastUses = async () => (await tokens.list()).map(({ lastUsedAtMs }) => lastUsedAtMs);
    await tokens.recordUses(
      new Map([
        ['a', 100],
        ['b', 100],
        ['gone', 100],
        ['\0', 100],
      ]),
    );
    expect(await lastUses()).toEqual([100, 100, undefined]);
    await tokens.recordUses(
      new Map([
        ['a', 99],
        ['b', 101],
      ]),
    );
    expect(await lastUses()).toEqual([100, 101, undefined]);
    await tokens.recordUses(new Map());
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        tokens.recordUses(new Map(['c', 'b', 'a'].map((id) => [id, 200 + index]))),
      ),
    );
    expect(await lastUses()).toEqual([209, 209, 209]);
    expect(await idsOf(tokens)).toEqual(['a', 'b', 'c']);
  });

  it('lists tokens while batches are open, and leaves stations alone', async () => {
    const { store } = fixture;
    await store.createStation(station);
    const { head } = await put(store, [aRecord('a')]);
    const batch = await stage(store, [aRecord('b')]);
    await store.tokens.add(aToken('a'));
    expect(await idsOf(store.tokens)).toEqual(['a']);
    expect(await store.head(station)).toEqual(head);
    await batch.discard();
  });

  it('fails every call after it was closed', async () => {
    const { store } = fixture;
    await store.close();
    const unavailable = { code: 'store_unavailable' };
    await expect(store.tokens.list()).rejects.toMatchObject(unavailable);
    await expect(store.tokens.add(aToken('a'))).rejects.toMatchObject(unavailable);
    await expect(store.tokens.addFirst(aToken('a'))).rejects.toMatchObject(unavailable);
    await expect(store.tokens.remove('a')).rejects.toMatchObject(unavailable);
    await expect(store.tokens.recordUses(new Map([['a', 1]]))).rejects.toMatchObject(unavailable);
  });
}

export function firstTokenContract(fixture: StoreFixture): void {
  it('adds a first token once, and never again', async () => {
    const { tokens } = fixture.store;
    expect(await tokens.addFirst(aToken('a'))).toBe(true);
    expect(await tokens.addFirst(aToken('b'))).toBe(false);
    expect(await idsOf(tokens)).toEqual(['a']);
    await tokens.remove('a');
    expect(await tokens.addFirst(aToken('b'))).toBe(false);
    const { tokens: reopened } = await fixture.reopen();
    expect(await reopened.addFirst(aToken('b'))).toBe(false);
    expect(await reopened.list()).toEqual([]);
  });

  it('adds no first token after another one was added', async () => {
    const { tokens } = fixture.store;
    await tokens.add(aToken('a'));
    expect(await tokens.addFirst(aToken('b'))).toBe(false);
    await tokens.remove('a');
    expect(await tokens.addFirst(aToken('b'))).toBe(false);
  });

  it('adds one first token of many at the same time', async () => {
    const { tokens } = fixture.store;
    const ids = Array.from({ length: 10 }, (_, index) => `t${index}`);
    const added = await Promise.all(ids.map((id) => tokens.addFirst(aToken(id))));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await idsOf(tokens)).toEqual([ids[added.indexOf(true)]]);
  });
}
