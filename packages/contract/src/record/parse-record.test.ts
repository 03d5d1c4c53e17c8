import { describe, expect, it } from 'vitest';
import { parseRecord } from './parse-record.ts';

const least = { resource_type: 'resource_type.compute.vm', resource_id: 'r-1', name: 'n-1' };

function errorsOf(input: unknown): { field: string | undefined; reason: string }[] {
  const parsed = parseRecord(input, 7);
  return 'errors' in parsed ? parsed.errors.map(({ field, reason }) => ({ field, reason })) : [];
}

describe('parseRecord', () => {
  it('needs a type, an id and a name, and leaves the rest to defaults', () => {
    expect(parseRecord(least, 1)).toEqual({
      record: { typeKey: 'resource_type.compute.vm', resourceId: 'r-1', name: 'n-1' },
    });
    expect(errorsOf({}).map(({ field }) => field)).toEqual(['resource_type', 'resource_id', 'name']);
  });

  it('reads every field', () => {
    const input = {
      ...least,
      resource_type: { key: 'resource_type.compute.vm', label: 'VM' },
      display_name: '节点 "1"',
      create_time: '2026-01-31T08:00:00.123456789+08:00',
      sku: '8 GPU',
      state: 'ALERTSTATE_FIRING',
      alert_rules_count: '12',
      gpu_model: 'H100',
      product: 'product.gpu',
      alertable: false,
    };
    expect(parseRecord(input, 1)).toEqual({
      record: {
        typeKey: 'resource_type.compute.vm',
        typeLabel: 'VM',
        resourceId: 'r-1',
        name: 'n-1',
        displayName: '节点 "1"',
        createTime: '2026-01-31T00:00:00.123456789Z',
        sku: '8 GPU',
        state: 'ALERTSTATE_FIRING',
        alertRulesCount: 12,
        gpuModel: 'H100',
        product: 'product.gpu',
        alertable: false,
      },
    });
  });

  it('counts every error, and looks for the nearest name as far as errors are shown', () => {
    const given = Array.from({ length: 7000 }, (_, number) => [`field ${number}`, 1]);
    const errors = errorsOf({ ...least, ...Object.fromEntries(given) });
    expect(errors).toHaveLength(7000);
    expect(errors.at(99)?.reason).toContain('is not a known field; known fields are');
    expect(errors.at(100)).toEqual({ field: 'field 100', reason: 'is not a known field' });
  });

  it('takes null for absent', () => {
    expect(errorsOf({ ...least, sku: null, create_time: null })).toEqual([]);
    expect(errorsOf({ ...least, name: null })).toEqual([{ field: 'name', reason: 'is required' }]);
  });

  it.each([
    ['resource_id', 'a,b', 'must not contain a comma'],
    ['resource_id', ' a', 'must not begin or end with a blank'],
    ['resource_id', '', 'must not be empty'],
    ['resource_id', '..', 'must not be a relative path segment'],
    ['resource_id', 7, 'must be a string: put it in quotes'],
    ['resource_id', ['a'], 'must be a string, got ["a"]'],
    ['resource_id', 'x'.repeat(513), 'may have at most 512 characters'],
    ['name', '', 'must not be empty'],
    ['name', 'a\u0000b', 'must not contain control characters'],
    ['name', 'a\ud800b', 'must not contain control characters or broken Unicode'],
    ['display_name', 'x'.repeat(1025), 'may have at most 1024 characters'],
    ['resource_type', '', 'must not be empty'],
    ['resource_type', 'vm', 'must have the form resource_type.<category>.<name>'],
    ['resource_type', 'resource_type.a,b', 'must have the form'],
    ['resource_type', { label: 'x' }, 'must be a type key'],
    ['resource_type', { key: 'resource_type.a', extra: 1 }, 'may have key and label only'],
    ['resource_type', { key: 'resource_type.a', label: 1 }, 'must have a string as label'],
    ['resource_type', ['resource_type.a'], 'must be a type key'],
    ['state', 'sad', 'must have the form ALERTSTATE_<NAME>: capital letters, digits and _, got "sad"'],
    ['state', 'FIRNG', 'digits and _, got "FIRNG"; did you mean "ALERTSTATE_FIRING"?'],
    ['state', 7, 'must be a string: put it in quotes, got 7'],
    ['product', 'gpu', 'must have the form product.<name>'],
    ['alert_rules_count', -1, 'must be a whole number'],
    ['alert_rules_count', 1.5, 'must be a whole number'],
    ['alert_rules_count', '1e3', 'must be a whole number'],
    ['alert_rules_count', 2 ** 53, 'must be a whole number'],
    ['alert_rules_count', JSON.parse('1e400'), '9007199254740991, got Infinity'],
    ['alert_rules_count', true, 'must be a whole number'],
    ['alertable', 'true', 'must be true or false'],
    ['create_time', 1767225600, 'must be an RFC 3339 time as a string'],
    ['create_time', '2026-02-30T00:00:00Z', 'must be a real date, 2026-02-30 does not exist'],
    ['create_time', '2026-01-01T00:00:00', 'must have a time zone'],
    ['create_time', '2026-01-01', 'must be an RFC 3339 time'],
    ['create_time', '2026-01-01T24:00:00Z', 'must be a time of day'],
    ['create_time', '2026-01-01T00:00:00.1234567890Z', 'at most nine digits'],
    ['create_time', '2026-01-01T00:00:00+25:00', 'must have an offset below 24:00'],
    ['create_time', '9999-12-31T23:00:00-02:00', 'must lie between the years'],
    ['display_nam', 'x', 'is not a known field; did you mean "display_name"?'],
    ['__proto__x', 'x', 'is not a known field; known fields are'],
  ])('refuses %s: %j', (field, value, reason) => {
    const errors = errorsOf({ ...least, [field]: value });
    expect(errors).toHaveLength(1);
    expect(errors[0]!.field).toBe(field);
    expect(errors[0]!.reason).toContain(reason);
  });

  it('reports every error of a record, with its line', () => {
    const parsed = parseRecord({ resource_id: 'a,b', name: '', state: 'x' }, 42);
    expect(parsed).toMatchObject({
      errors: [
        { line: 42, field: 'resource_id' },
        { line: 42, field: 'name' },
        { line: 42, field: 'state' },
        { line: 42, field: 'resource_type', reason: 'is required' },
      ],
    });
  });

  it.each([[null], [7], ['x'], [[]], [true]])('refuses %j as a record', (input) => {
    expect(errorsOf(input)[0]!.reason).toContain('a record must be an object with fields');
  });

  it('is not fooled by inherited properties', () => {
    expect(
      errorsOf(JSON.parse('{"__proto__": {"name": "x"}, "resource_id": "r"}')).map(({ field }) => field),
    ).toEqual(['__proto__', 'resource_type', 'name']);
    expect(errorsOf({ ...least, toString: 'x' })[0]!.field).toBe('toString');
  });

  describe('with the station being written', () => {
    const station = 'subscriptions/s/resourceGroups/g%20h/zones/z/telemetryStations/t';
    const faultsWith = (value: unknown) => {
      const parsed = parseRecord({ ...least, station: value }, 1, { station });
      return 'errors' in parsed ? parsed.errors.map(({ field, reason }) => `${field} ${reason}`) : [];
    };

    it.each([
      [station],
      [`/${station}`],
      ['subscriptions/%73/resourceGroups/g h/zones/z/telemetryStations/t'],
      [null],
    ])('takes %j and stores nothing of it', (value) => {
      expect(faultsWith(value)).toEqual([]);
      expect(parseRecord({ ...least, station: value }, 1, { station })).toEqual(parseRecord(least, 1));
    });

    it('refuses another station by its full name', () => {
      const other = station.replace('zones/z', 'zones/y');
      expect(faultsWith(other)).toEqual([
        `station belongs to station ${other}; this request writes to ${station}`,
      ]);
    });

    it.each([
      ['t'],
      [''],
      [7],
      [`${station}/resources`],
      [station.replace('zones/z', 'zones/\ud800')],
      ['subscriptions/%FF/'],
      [station.replace('s/', '%/')],
    ])('refuses %j, which is no address', (value) => {
      expect(faultsWith(value)[0]).toContain('station must have the form subscriptions/<name>/');
    });
  });

  it('keeps a fraction as given and adds one where there is none', () => {
    const timeOf = (create_time: string) => {
      const parsed = parseRecord({ ...least, create_time }, 1);
      return 'record' in parsed ? parsed.record.createTime : undefined;
    };
    expect(timeOf('2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:00.000Z');
    expect(timeOf('2026-01-01T00:00:00.5z')).toBe('2026-01-01T00:00:00.5Z');
    expect(timeOf('2024-02-29T23:30:00.000000001-01:00')).toBe('2024-03-01T00:30:00.000000001Z');
    expect(timeOf('0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00.000Z');
  });
});
