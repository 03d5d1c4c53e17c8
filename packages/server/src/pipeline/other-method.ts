import { RosterError } from '@roster/contract';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';

/** The handler of a path for the methods that it does not have. */
export function otherMethod(methods: readonly string[]): (exchange: Exchange) => Answer {
  const allow = methods.join(', ');
  return ({ request: { method }, response }) => {
    response.setHeader('Allow', allow);
    if (method === 'OPTIONS') return { status: 204 };
    throw new RosterError('method_not_allowed', `${method} is not possible here; allowed are ${allow}`);
  };
}
