import { formatRevision, quote, type Revision, RosterError } from '@roster/contract';

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
  return new RosterError('internal', `there is already a token ${quote(id)}, or one with the same text`);
}

export function makerGone(): RosterError {
  return new RosterError('unauthorized', 'the token used for this request has been revoked');
}

export function ownerGone(): RosterError {
  return new RosterError('unauthorized', 'the token that the view would belong to was revoked');
}

export function storeUnavailable(message: string, cause?: unknown): RosterError {
  return new RosterError('store_unavailable', message, cause === undefined ? {} : { cause });
}

export function storeClosed(): RosterError {
  return storeUnavailable('the store is closed');
}

export function onlyForReading(): RosterError {
  return new RosterError('internal', 'the store is read-only');
}

export function batchEnded(): RosterError {
  return new RosterError('internal', 'a batch was used after its commit or discard');
}

/** Throws `revision_mismatch` when the station is not at the wanted revision. */
export function requireRevision(current: Revision, wanted: Revision | undefined): void {
  if (!wanted || (wanted.epoch === current.epoch && wanted.number === current.number)) return;
  const revision = formatRevision(current);
  throw new RosterError(
    'revision_mismatch',
    `nothing was written: the station is at revision ${revision}, not at ${formatRevision(wanted)}; ` +
      'check what has changed, for example with a dry run, and try again',
    { extensions: { revision } },
  );
}
