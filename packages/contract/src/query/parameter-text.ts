import { RosterError } from '../errors.ts';
import { nearestName } from '../nearest-name.ts';
import { quote } from '../quote.ts';

/** Decodes a name or value of a query string. */
export function decodeParameter(text: string, parameter: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RosterError(
      'invalid_parameter',
      `${quote(parameter)} is not valid percent-encoded UTF-8, got ${quote(text)}`,
      { parameter },
    );
  }
}

export function unknownParameter(rawName: string, known: readonly string[]): RosterError {
  const name = decodeParameter(rawName, rawName);
  return new RosterError('unknown_parameter', `unknown parameter ${quote(name)}; ${hint(name, known)}`, {
    parameter: name,
  });
}

export function givenTwice(parameter: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} may be given only once`, { parameter });
}

export function withoutValue(parameter: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} needs a value; omit it if you mean none`, {
    parameter,
  });
}

function hint(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'this operation has none';
  const nearest = nearestName(name, known);
  return nearest ? `did you mean ${quote(nearest)}?` : `known parameters are ${known.join(', ')}`;
}
