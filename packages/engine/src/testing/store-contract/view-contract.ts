import { limits } from '@roster/contract';
import { expect, it } from 'vitest';
import type { StoredView, ViewStore } from '../../port/store.ts';
import { requireRoomForView, sharedOwner, tokenOwner, viewVersion } from '../../port/view-version.ts';
import { station } from './fixture/contract-data.ts';
import type { StoreFixture } from './fixture/store-fixture.ts';
import { aToken } from './token-contract.ts';

function aView(name: string, given: Partial<StoredView> = {}): StoredView {
  return {
    owner: 'oidc:1',
    name,
    station,
    query: 'state=firing',
    changedAtMs: 1_700_000_000_000,
    changedBy: 'somebody',
    ...given,
  };
}

async function namesOf(views: ViewStore, ...owners: string[]): Promise<string[]> {
  return (await views.list(owners)).map(({ name }) => name);
}

export function viewContract(fixture: StoreFixture): void {
  it('keeps every field of a view, also after it was closed and opened', async () => {
    const plain = aView('a');
    const full = aView(`"quoted", 100% of 'it' \\ 机器 🦄 ${'x'.repeat(150)}`, {
      owner: sharedOwner,
      station: { subscription: 'a/b', resourceGroup: '%', zone: "'; --", name: '站 🦄' },
      query: `text=${'%E6%9C%BA'.repeat(400)}`,
      changedAtMs: 9_000_000_000_000,
      changedBy: 'somebody@example.org, NULL',
    });
    const everywhere = aView('c', { owner: 'x', station: undefined, query: '' });
    for (const view of [plain, full, everywhere]) expect(await fixture.store.views.put(view)).toBe(true);
    expect(await fixture.store.views.list()).toEqual([plain, full, everywhere]);
    const { views } = await fixture.reopen();
    expect(await views.list()).toEqual([plain, full, everywhere]);
    expect(await views.get(full.owner, full.name)).toEqual(full);
  });

  it('lists the views of some owners by owner and name, in the order of code units', async () => {
    const { views } = fixture.store;
    for (const name of ['b', 'B', '\u{1f984}', '\uffee', 'a']) await views.put(aView(name));
    await views.put(aView('a', { owner: 'oidc:0' }));
    await views.put(aView('hidden', { owner: 'oidc:2' }));
    expect(await namesOf(views, 'oidc:1')).toEqual(['B', 'a', 'b', '\u{1f984}', '\uffee']);
    expect(await namesOf(views, 'oidc:1', 'oidc:0', 'oidc:1', 'none', '\0', '\ud800')).toEqual([
      'a',
      ...['B', 'a', 'b', '\u{1f984}', '\uffee'],
    ]);
    expect(await namesOf(views)).toEqual([]);
  });

  it('replaces a view of the same owner and name, and no other', async () => {
    const { views } = fixture.store;
    const others = aView('a', { owner: 'oidc:2' });
    await views.put(aView('a'));
    await views.put(others);
    const changed = aView('a', { station: undefined, query: 'state=pending', changedBy: 'else' });
    expect(await views.put(changed)).toBe(false);
    expect(await views.list()).toEqual([changed, others]);
    expect(await views.get('oidc:1', 'a')).toEqual(changed);
    expect(await views.get('oidc:1', 'A')).toBeUndefined();
    expect(await views.get('oidc:1', '\0')).toBeUndefined();
  });

  it('removes a view for good', async () => {
    const { views } = fixture.store;
    await views.put(aView('a'));
    await views.put(aView('b'));
    expect(await views.remove('oidc:1', 'a')).toBe(true);
    expect(await views.remove('oidc:1', 'a')).toBe(false);
    expect(await views.remove('oidc:2', 'b')).toBe(false);
    expect(await views.remove('oidc:1', '\0')).toBe(false);
    expect(await views.remove('\ud800', 'b')).toBe(false);
    expect(await namesOf(views, 'oidc:1')).toEqual(['b']);
    expect(await namesOf((await fixture.reopen()).views, 'oidc:1')).toEqual(['b']);
  });

  it('writes only if the condition holds', async () => {
    const { views } = fixture.store;
    const mismatch = { code: 'view_mismatch' };
    const [first, second] = [aView('a'), aView('a', { query: 'state=pending' })];
    await expect(views.put(first, 'present')).rejects.toMatchObject(mismatch);
    await expect(views.put(first, { version: viewVersion(first) })).rejects.toMatchObject(mismatch);
    await expect(views.remove('oidc:1', 'a', 'present')).rejects.toMatchObject(mismatch);
    expect(await views.put(first, 'absent')).toBe(true);
    await expect(views.put(second, 'absent')).rejects.toMatchObject(mismatch);
    expect(await views.put(second, { version: viewVersion(first) })).toBe(false);
    await expect(views.put(first, { version: viewVersion(first) })).rejects.toMatchObject(mismatch);
    const stale = views.remove('oidc:1', 'a', { version: viewVersion(first) });
    await expect(stale).rejects.toMatchObject(mismatch);
    expect(await views.list()).toEqual([second]);
    expect(await views.remove('oidc:1', 'a', { version: viewVersion(second) })).toBe(true);
  });

  it('lets one of many conditional writes win', async () => {
    const { views } = fixture.store;
    const made = Array.from({ length: 10 }, (_, n) => aView('a', { query: `text=${n}` }));
    const created = await Promise.allSettled(made.map((view) => views.put(view, 'absent')));
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const version = viewVersion((await views.get('oidc:1', 'a'))!);
    const changed = await Promise.allSettled(
      made.map((view, n) => views.put({ ...view, query: `sku=${n}` }, { version })),
    );
    expect(changed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses more views than an owner may have, but replaces and makes room', async () => {
    const { views } = fixture.store;
    const names = Array.from({ length: limits.maxViewsPerOwner + 20 }, (_, n) => `view ${n}`);
    const added = await Promise.allSettled(names.map((name) => views.put(aView(name))));
    const refused = added.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(20);
    expect(refused[0]!.reason).toMatchObject({ code: 'too_many_views' });
    const kept = await namesOf(views, 'oidc:1');
    expect(kept).toHaveLength(limits.maxViewsPerOwner);
    expect(await views.put(aView(kept[0]!, { query: 'changed=1' }))).toBe(false);
    expect(await views.put(aView('a', { owner: 'oidc:2' }))).toBe(true);
    await views.remove('oidc:1', kept[0]!);
    expect(await views.put(aView('new'))).toBe(true);
    expect(() => requireRoomForView({ owned: 0, total: limits.maxViews })).toThrow('10000 views');
  });

  it('removes the views of a token with it, and of those that it made if they go too', async () => {
    const { tokens, views } = fixture.store;
    await tokens.add(aToken('root'));
    await tokens.add(aToken('a', { makerId: 'root' }));
    await tokens.add(aToken('b', { makerId: 'a' }));
    for (const id of ['root', 'a', 'b']) await views.put(aView('mine', { owner: tokenOwner(id) }));
    await views.put(aView('shared', { owner: sharedOwner }));
    const owners = async () => (await views.list()).map(({ owner }) => owner);
    await tokens.remove('a');
    expect(await owners()).toEqual([sharedOwner, tokenOwner('b'), tokenOwner('root')]);
    await tokens.remove('root', { cascade: true });
    expect(await owners()).toEqual([sharedOwner]);
    expect((await (await fixture.reopen()).views.list()).map(({ name }) => name)).toEqual(['shared']);
  });

  it('leaves no view behind that is saved while its token is removed', async () => {
    const { tokens, views } = fixture.store;
    await tokens.add(aToken('a'));
    const save = (name: string) => views.put(aView(name, { owner: tokenOwner('a') }));
    await Promise.allSettled([
      ...Array.from({ length: 5 }, (_, n) => save(`early ${n}`)),
      tokens.remove('a'),
      ...Array.from({ length: 5 }, (_, n) => save(`late ${n}`)),
    ]);
    expect(await views.list()).toEqual([]);
    await expect(save('later')).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('fails every call after it was closed', async () => {
    const { store } = fixture;
    await store.close();
    const unavailable = { code: 'store_unavailable' };
    await expect(store.views.list()).rejects.toMatchObject(unavailable);
    await expect(store.views.get('a', 'b')).rejects.toMatchObject(unavailable);
    await expect(store.views.put(aView('a'))).rejects.toMatchObject(unavailable);
    await expect(store.views.remove('a', 'b')).rejects.toMatchObject(unavailable);
    await fixture.reopen();
  });
}
