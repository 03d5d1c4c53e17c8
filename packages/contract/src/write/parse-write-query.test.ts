import { describe, expect, it } from 'vitest';
import { parsePatchQuery, parseWriteQuery } from './parse-write-query.ts';

describe('parseWriteQuery', () => {
  it('merges by default, for real, and guards removals', () => {
    expect(parseWriteQuery('')).toEqual({
      mode: 'merge',
      isDryRun: false,
      allowRemoval: 'half',
      maxChanges: 100,
    });
  });

  it('reads every parameter', () => {
    expect(parseWriteQuery('mode=replace&dry_run=1&allow_removal=7&max_changes=0')).toEqual({
      mode: 'replace',
      isDryRun: true,
      allowRemoval: 7,
      maxChanges: 0,
    });
    expect(parseWriteQuery('mode=replace&allow_removal=all').allowRemoval).toBe('all');
  });

  it.each([
    ['mode=upsert', 'mode must be one of merge, replace, got "upsert"'],
    ['mode=patch', 'mode must be one of merge, replace, got "patch"; send patches with PATCH'],
    ['mode=merge&mode=replace', 'mode may be given only once, got "merge" and "replace"'],
    ['dry_run=yes', 'dry_run must be true or false'],
    ['dry_run', 'dry_run needs a value'],
    ['dry_run=', 'dry_run needs a value'],
    ['mode=&dry_run=true', 'mode needs a value'],
    ['dryrun=true', 'did you mean "dry_run"?'],
    ['mode=replace&allow_removal=half', 'allow_removal must be all or a number of resources, got "half"'],
    ['mode=replace&allow_removal=-1', 'allow_removal must be all or a number of resources, got "-1"'],
    ['allow_removal=all', 'allow_removal is only allowed with mode=replace'],
    ['max_changes=5', 'max_changes is only allowed with dry_run=true'],
    ['dry_run=true&max_changes=10001', 'max_changes must be a whole number between 0 and 10000'],
    ['mode=%ff', 'is not valid percent-encoded UTF-8'],
  ])('refuses %s', (search, message) => {
    expect(() => parseWriteQuery(search)).toThrow(message);
  });
});

describe('parsePatchQuery', () => {
  it('knows dry runs, and nothing about removals', () => {
    expect(parsePatchQuery('dry_run=true&max_changes=3')).toMatchObject({
      mode: 'patch',
      isDryRun: true,
      maxChanges: 3,
    });
    expect(() => parsePatchQuery('mode=replace')).toThrow(/mode/);
    expect(() => parsePatchQuery('max_changes=3')).toThrow('max_changes is only allowed with dry_run=true');
  });
});
