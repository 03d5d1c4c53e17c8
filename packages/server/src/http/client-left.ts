import { RosterError } from '@roster/contract';

export function clientLeft(cause?: Error): RosterError {
  return new RosterError('invalid_body', 'the client left before all of the body was read', { cause });
}
