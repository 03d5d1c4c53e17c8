import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { productError, recordFields, typeKeyError } from './record-fields.ts';

const keyCharacter = fc.constantFrom(...'azAZ09_-');
const keyPart = fc.string({ unit: keyCharacter, minLength: 1, maxLength: 20 });
const stateName = fc.string({ unit: fc.constantFrom(...'AZ09_'), minLength: 1, maxLength: 20 });
const stateError = (value: string) => recordFields.state!.read(value, {});

describe('the tokens of a record', () => {
  it('are taken with the characters that their refusals name', () => {
    fc.assert(
      fc.property(keyPart, keyPart, stateName, (category, name, state) => {
        expect(typeKeyError(`resource_type.${category}.${name}`)).toBeUndefined();
        expect(productError(`product.${name}`)).toBeUndefined();
        expect(stateError(`ALERTSTATE_${state}`)).toBeUndefined();
      }),
    );
  });

  it.each(['GPU Node', 'gpu/node', 'gpü', 'a..b', ''])('are refused with %j in them', (name) => {
    expect(typeKeyError(`resource_type.compute.${name}`)).toBe(
      'must have the form resource_type.<category>.<name>: letters, digits, _ and - between dots',
    );
    expect(productError(`product.${name}`)).toBe(
      'must have the form product.<name>: letters, digits, _ and - between dots',
    );
    expect(stateError(`ALERTSTATE_${name}`)).toBe(
      'must have the form ALERTSTATE_<NAME>: capital letters, digits and _',
    );
  });
});
