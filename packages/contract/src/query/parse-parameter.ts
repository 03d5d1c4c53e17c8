import { RosterError } from '../errors.ts';
import { limits } from '../limits.ts';
import { quote } from '../quote.ts';

/** A whole number from 0 to `max`, or undefined when the parameter is absent. */
export function parseCount(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = digitsOf(text);
  if (value <= max) return value;
  throw invalid(name, `must be a whole number between 0 and ${max}`, text);
}

/** The number that `text` spells in digits, else NaN. Inexact, but still large, beyond 2^53. */
function digitsOf(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** What Go's `strconv.ParseBool` accepts, and nothing else. */
export function parseBoolean(name: string, text: string | undefined): boolean | undefined {
  switch (text) {
    case undefined:
      return undefined;
    case '1':
    case 't':
    case 'T':
    case 'TRUE':
    case 'true':
    case 'True':
      return true;
    case '0':
    case 'f':
    case 'F':
    case 'FALSE':
    case 'false':
    case 'False':
      return false;
    default:
      throw invalid(
        name,
        'must be true or false (1, t, T, TRUE, True, 0, f, F, FALSE, False also work)',
        text,
      );
  }
}

/** One of `choices`, or undefined when the parameter is absent. */
export function parseChoice<T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw invalid(name, `must be one of ${choices.join(', ')}`, text);
}

/** The trimmed, non-empty items of a list parameter, duplicates included; undefined if there are none. */
export function parseItems(name: string, values: readonly string[] | undefined): string[] | undefined {
  if (values === undefined) return undefined;
  let items: string[] = [];
  for (const value of values) {
    for (const part of value.split(',')) {
      const item = part.trim();
      if (item !== '') items.push(item);
    }
  }
  if (items.length > limits.maxListItems) items = [...new Set(items)];
  if (items.length > limits.maxListItems) {
    throw new RosterError(
      'invalid_parameter',
      `${name} may have at most ${limits.maxListItems} different items, got ${items.length}`,
      { parameter: name },
    );
  }
  return items.length === 0 ? undefined : items;
}

/** `resource_type` and `resource_types` combine with AND like any other two filters. */
export function acceptedTypes(
  single: string | undefined,
  several: string[] | undefined,
): string[] | undefined {
  if (single === undefined) return several;
  return several === undefined || several.includes(single) ? [single] : [];
}

function invalid(name: string, requirement: string, text: string): RosterError {
  return new RosterError('invalid_parameter', `${name} ${requirement}, got ${quote(text)}`, {
    parameter: name,
  });
}
