import { quote, RosterError } from '@roster/contract';

export function resourceNotFound(resourceId: string): RosterError {
  return new RosterError('resource_not_found', `the station has no resource ${quote(resourceId)}`);
}

export function typeInUse(key: string, resources: number): RosterError {
  return new RosterError(
    'type_in_use',
    `${resources === 1 ? '1 resource is' : `${resources} resources are`} of the type ${quote(key)}; ` +
      'give them another type or remove them first',
    { extensions: { resources } },
  );
}

export function tokenExists(id: string): RosterError {
  return new RosterError(
    'internal',
    `there is already a token ${quote(id)}, or another one of the same text`,
  );
}

export function storeClosed(): RosterError {
  return new RosterError('store_unavailable', 'the store is closed');
}

export function onlyForReading(): RosterError {
  return new RosterError('internal', 'the store was opened for reading only');
}

export function batchEnded(): RosterError {
  return new RosterError('internal', 'a batch was used after its commit or discard');
}
