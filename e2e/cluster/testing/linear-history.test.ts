import { expect, it } from 'vitest';
import type { List, PastChange } from '../../testing/station-answers.ts';
import { LinearHistory } from './linear-history.ts';

const put = (number: number, id: string, sku: string, change: PastChange['change'] = 'created') =>
  ({
    revision: `e.${number}`,
    change,
    resource_id: id,
    resource: { resource_id: id, sku, resource_type: { key: 't', label: 'T' } },
    fields: { sku: { before: sku === '1' ? '2' : '1', after: sku } },
  }) as unknown as PastChange;
const list = (...resources: [id: string, sku: string][]) =>
  ({ resources: resources.map(([resource_id, sku]) => ({ resource_id, sku })) }) as unknown as List;
const twoWrites = [put(1, 'a', '1'), put(2, 'a', '2', 'updated')];

/** Two acknowledged writes, which are in the history. */
function begun(): LinearHistory {
  const history = new LinearHistory();
  history.beginWrite(['put a 1'])({ acknowledged: 'e.1' });
  history.beginWrite(['put a 2'])({ acknowledged: 'e.2' });
  return history;
}

function violationsOf(history: LinearHistory, changes: readonly PastChange[] = twoWrites): string {
  history.check(changes);
  return history.violations.join('\n');
}

it('finds nothing wrong with a history that is linear', () => {
  const history = begun();
  history.beginRead()('e.2', list(['a', '2']));
  history.hear('e.1', [twoWrites[0]!], 'e.0');
  history.beginWrite(['put b 1'])('refused');
  history.beginWrite(['put b 2'])('uncertain');
  expect(violationsOf(history)).toBe('');
});

it('finds writes that are lost, doubled, misplaced, kept against their word or of nobody', () => {
  expect(violationsOf(begun(), [put(1, 'a', '1')])).toMatch(
    /put a 2, acknowledged as e.2, is in revisions \[\]/,
  );
  const again = [...twoWrites, put(3, 'a', '1', 'updated')];
  expect(violationsOf(begun(), again)).toMatch(/put a 1.* is in revisions \[1,3\]/);
  const history = begun();
  history.beginWrite(['put b 1'])('refused');
  const more = [...twoWrites, put(3, 'b', '1'), put(4, 'c', '1')];
  expect(violationsOf(history, more)).toMatch(/put b 1, refused, is in .*\n.*nobody wrote put c 1/);
});

it('finds revisions that are skipped', () => {
  expect(violationsOf(begun(), [twoWrites[0]!, put(3, 'a', '2', 'updated')])).toMatch(/has 3 out of turn/);
});

it('finds answers that are older than what was known, and lists that show something else', () => {
  const history = begun();
  history.beginRead()('e.1');
  const early = history.beginRead();
  history.beginWrite(['put c 3'])({ acknowledged: 'e.2' });
  early('e.2', list(['a', '1']));
  expect(violationsOf(history)).toMatch(
    /a read answered e.1 when e.2 .*\na write answered e.2 when e.2 .*\n(.*\n)*a list at e.2 showed something else/,
  );
});

it('finds answers of an epoch that was over, and what listeners missed or misheard', () => {
  const history = begun();
  history.beginRead()('f.1');
  history.beginRead()('e.9');
  expect(history.violations).toEqual([expect.stringMatching(/e.9 when f.1 was known/)]);
  const heard = begun();
  heard.hear('e.2', [put(2, 'a', '3')], 'e.0');
  expect(violationsOf(heard)).toMatch(
    /heard e.2 after e.0\nlisteners heard of e.2: put a 3, which was: put a 2/,
  );
});

it('excuses what a database has lost, and nothing before it', () => {
  const history = begun();
  history.beginRead()('f.1', list(['a', '1']));
  history.check([put(1, 'a', '1')], 1);
  expect(history.violations).toEqual([]);
  history.check([], 0);
  expect(history.violations.join()).toMatch(/a list showed 1, which never was/);
});
