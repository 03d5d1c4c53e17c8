import { RosterError } from '../errors.ts';
import { limits } from '../limits.ts';

/** How many resources a replace may remove: `half` of a station (all but one of a small one), a number, or `all`. */
export type RemovalAllowance = 'half' | 'all' | number;

/** The refusal of a replace that would remove too many resources, else undefined. */
export function removalRefusal(
  removed: number,
  stationSize: number,
  allowance: RemovalAllowance,
): RosterError | undefined {
  const isSmall = stationSize <= limits.guardedStationSize && removed < stationSize;
  const isAllowed =
    allowance === 'all' ||
    (allowance === 'half' ? isSmall || removed <= stationSize / 2 : removed <= allowance);
  if (isAllowed) return undefined;
  const bound = allowance === 'half' ? 'half of them' : `the ${allowance} allowed`;
  return new RosterError(
    'removal_refused',
    `nothing was written: this would remove ${removed} of ${stationSize} resources, more than ${bound}; ` +
      `to allow it, send allow_removal=${removed} or allow_removal=all`,
    { parameter: 'allow_removal', extensions: { removed, resources: stationSize } },
  );
}
