import { describe, expect, it } from 'vitest';
import { facetFields, selectedValues, toggled, withValues } from './facet-fields.ts';

describe('facets', () => {
  it('add a value to the filters, and take it out again', () => {
    const firing = toggled({ text: 'gpu' }, 'state', 'ALERTSTATE_FIRING');
    expect(firing).toEqual({ text: 'gpu', states: ['firing'] });
    const both = toggled(firing, 'state', 'ALERTSTATE_PENDING');
    expect(both.states).toEqual(['firing', 'pending']);
    expect(toggled(toggled(both, 'state', 'ALERTSTATE_FIRING'), 'state', 'ALERTSTATE_PENDING')).toEqual({
      text: 'gpu',
    });
  });

  it('know what is chosen, whichever way it was written', () => {
    expect(selectedValues({ states: ['firing', 'ALERTSTATE_NO_DATA'] }, 'state')).toEqual([
      'ALERTSTATE_FIRING',
      'ALERTSTATE_NO_DATA',
    ]);
    expect(selectedValues({ resourceType: 'a' }, 'resource_type')).toEqual(['a']);
    expect(selectedValues({ labels: { rack: ['r1'] } }, 'label.rack')).toEqual(['r1']);
    expect(selectedValues({ covered: false }, 'covered')).toEqual(['false']);
  });

  it('keep one product and one answer to coverage at a time', () => {
    expect(toggled({ product: 'a' }, 'product', 'b')).toEqual({ product: 'b' });
    expect(toggled({ covered: true }, 'covered', 'false')).toEqual({ covered: false });
  });

  it('keep the other labels', () => {
    const filters = { labels: { rack: ['r1'], owner: ['x'] } };
    expect(withValues(filters, 'label.rack', [])).toEqual({ labels: { owner: ['x'] } });
    expect(withValues({ labels: { rack: ['r1'] } }, 'label.rack', [])).toEqual({});
  });

  it('of all stations leave out what would make the server read every resource', () => {
    expect(facetFields({ states: ['firing'] }, true, ['rack'])).toEqual([
      'station',
      'zone',
      'subscription',
      'resource_type',
      'product',
      'gpu_model',
      'sku',
      'label.rack',
    ]);
    expect(facetFields({ text: 'x' }, true, [])).toContain('state');
    expect(facetFields({ states: ['inactive'] }, true, [])).toContain('covered');
  });
});
