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

export function givenTwice(parameter: string, values: readonly string[]): RosterError {
  const given = values
    .slice(0, 2)
    .map((value) => quote(value))
    .join(' and ');
  return new RosterError('invalid_parameter', `${parameter} may be given only once, got ${given}`, {
    parameter,
  });
}

export function withoutValue(parameter: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} needs a value; omit it if you mean none`, {
    parameter,
  });
}

/** Names of other interfaces, which are not spelt like ours. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  page: ['page.offset', 'page.size'],
  sort: ['order_by'],
  sort_by: ['order_by'],
};

function hint(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'this operation has none';
  const meant = meantBy(name, known);
  if (meant.length === 0) return `known parameters are ${known.join(', ')}`;
  return `did you mean ${meant.map((each) => quote(each)).join(' or ')}?`;
}

function meantBy(name: string, known: readonly string[]): readonly string[] {
  const folded = name.toLowerCase();
  const synonym = Object.hasOwn(synonyms, folded) ? synonyms[folded]! : [];
  const meant = synonym.filter((each) => known.includes(each));
  if (meant.length > 0) return meant;
  const nearest = nearestName(name, known);
  return nearest === undefined ? [] : [nearest];
}
