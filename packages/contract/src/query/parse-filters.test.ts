import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RosterError } from '../errors.ts';
import type { ListQuery } from './list-query.ts';
import { parseExportQuery } from './parse-export-query.ts';
import { parseListQuery } from './parse-list-query.ts';
import { parseSummaryQuery } from './parse-summary-query.ts';
import { anyTime } from './search-query.ts';

const parameter = fc.tuple(
  fc.constantFrom(
    'resource_ids',
    'resource_type',
    'resource_types',
    'product',
    'resource_display_name_prefix',
    'enabled_alert',
  ),
  fc.constantFrom('', 'a', 'a,b', ' a , ,b', 'true', 'x%20y', 'x+y', '%e4%b8%ad', '%ff', 'a=b'),
);

function outcome(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    // Which of several errors is met first may differ.
    return (error as RosterError).code;
  }
}

/** The filters that the list does not have. */
const own = {
  states: undefined,
  covered: undefined,
  alertable: undefined,
  text: undefined,
  gpuModels: undefined,
  skus: undefined,
  labels: new Map(),
  createdMs: anyTime,
  stateSinceMs: anyTime,
};

function withoutPage({ page: _, ...filters }: ListQuery): Omit<ListQuery, 'page'> {
  return filters;
}

describe('the filters of summary and export', () => {
  it('mean what they mean in the list', () => {
    fc.assert(
      fc.property(fc.array(parameter, { maxLength: 5 }), (parameters) => {
        const search = parameters.map(([name, value]) => `${name}=${value}`).join('&');
        expect(outcome(() => parseSummaryQuery(search))).toEqual(
          outcome(() => ({ ...own, ...withoutPage(parseListQuery(search, { strict: true })) })),
        );
      }),
    );
  });

  it('have no pages', () => {
    expect(() => parseSummaryQuery('page.size=5')).toThrow('unknown parameter "page.size"');
    expect(() => parseExportQuery('page.size=5')).toThrow('unknown parameter "page.size"');
  });

  it('stand beside the format of an export', () => {
    expect(parseExportQuery('format=csv&product=p')).toMatchObject({
      format: 'csv',
      filters: { product: 'p' },
    });
    expect(parseExportQuery('').format).toBeUndefined();
    expect(() => parseExportQuery('format=xlsx')).toThrow(
      'format must be one of ndjson, csv, json, got "xlsx"',
    );
  });
});
