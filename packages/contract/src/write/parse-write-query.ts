import { RosterError } from '../errors.ts';
import { limits } from '../limits.ts';
import { parseBoolean, parseChoice, parseCount } from '../query/parse-parameter.ts';
import { QueryParameters } from '../query/query-parameters.ts';
import { rosterParameterNames } from '../query/roster-parameters.ts';
import { quote } from '../quote.ts';
import type { RemovalAllowance } from './removal-guard.ts';

export interface WriteQuery {
  readonly mode: 'merge' | 'replace' | 'patch';
  readonly isDryRun: boolean;
  readonly allowRemoval: RemovalAllowance;
  /** How many changes a dry run lists. */
  readonly maxChanges: number;
}

export function parseWriteQuery(search: string): WriteQuery {
  const given = new QueryParameters(search, rosterParameterNames.writeResources, { mayBeEmpty: false });
  const mode = parseMode(given.one('mode')) ?? 'merge';
  const allowRemoval = parseAllowance(given.one('allow_removal'));
  if (allowRemoval !== undefined && mode === 'merge') throw useless('allow_removal', 'mode=replace');
  return { mode, allowRemoval: allowRemoval ?? 'half', ...parsePlanning(given) };
}

function parseMode(text: string | undefined): 'merge' | 'replace' | undefined {
  const choices = ['merge', 'replace'] as const;
  if (text !== 'patch') return parseChoice('mode', text, choices);
  throw new RosterError(
    'invalid_parameter',
    `mode must be one of ${choices.join(', ')}, got "patch"; send patches with PATCH`,
    { parameter: 'mode' },
  );
}

export function parsePatchQuery(search: string): WriteQuery {
  const given = new QueryParameters(search, rosterParameterNames.patchResources, { mayBeEmpty: false });
  return { mode: 'patch', allowRemoval: 'half', ...parsePlanning(given) };
}

/** The parameters of a dry run. */
interface PlanParameters {
  one(name: 'dry_run' | 'max_changes'): string | undefined;
}

function parsePlanning(given: PlanParameters): Pick<WriteQuery, 'isDryRun' | 'maxChanges'> {
  const isDryRun = parseBoolean('dry_run', given.one('dry_run')) ?? false;
  const maxChanges = parseCount('max_changes', given.one('max_changes'), limits.maxPlannedChanges);
  if (maxChanges !== undefined && !isDryRun) throw useless('max_changes', 'dry_run=true');
  return { isDryRun, maxChanges: maxChanges ?? limits.defaultPlannedChanges };
}

function parseAllowance(text: string | undefined): RemovalAllowance | undefined {
  if (text === undefined || text === 'all') return text;
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new RosterError(
    'invalid_parameter',
    `allow_removal must be all or a number of resources, got ${quote(text)}`,
    {
      parameter: 'allow_removal',
    },
  );
}

/** Refuses a parameter that would have no effect, because the client relies on it. */
function useless(parameter: string, needed: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} is only allowed with ${needed}`, {
    parameter,
  });
}
