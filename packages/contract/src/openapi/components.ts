import { revisionHeader } from '../revision/revision.ts';

export type Json = Record<string, unknown>;

export const text = { type: 'string' };
export const count = { type: 'integer', minimum: 0 };

export const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const json = (name: string): Json => ({ 'application/json': { schema: reference(name) } });
export const problem = (description: string): Json => ({
  description,
  content: { 'application/problem+json': { schema: reference('Problem') } },
});

export function pathParameter(name: string, description: string, example: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 }, description, example };
}

export function queryParameter(name: string, schema: Json, description: string, example?: unknown): Json {
  const parameter = { name, in: 'query', required: false, schema, description };
  return example === undefined ? parameter : { ...parameter, example };
}

export function header(name: string, description: string): Json {
  return { name, in: 'header', schema: text, description };
}

export const stationParameters = [
  pathParameter('subscription_name', 'Subscription.', 'demo'),
  pathParameter('resource_group_name', 'Resource group.', 'sample'),
  pathParameter('zone', 'Availability zone.', 'zone-1'),
  pathParameter('telemetry_station_name', 'The station itself.', 'station-1'),
];

/** Of reads that always show what is there now. */
export const newestReadHeaders = [
  header('Accept-Language', 'Language of the type labels.'),
  header('If-None-Match', 'ETag of an earlier response.'),
];

export const readHeaders = [
  header(
    revisionHeader,
    'Read the snapshot named by an earlier response: paging then neither skips nor repeats.',
  ),
  ...newestReadHeaders,
];

export const ifMatchHeader = header(
  'If-Match',
  'Write only if the station is at this revision, such as `"k3v9x0a1bc.42"`.',
);

export const newestHeaders = {
  ETag: { schema: text, description: 'Send it as If-None-Match to get 304 while nothing changes.' },
  'Content-Language': {
    schema: text,
    description:
      'The language chosen for the type labels. Types without a label in it have their English one.',
  },
};

export const listHeaders = {
  ...newestHeaders,
  [revisionHeader]: { schema: text, description: 'The snapshot that was read, as `<epoch>.<number>`.' },
};

export const hintHeader = {
  'Roster-Hint': {
    schema: text,
    description:
      'Where nothing matches: which filters name what the station does not have, and what may be meant.',
  },
};

export const revisionOnly = { [revisionHeader]: listHeaders[revisionHeader] };

export const noStation = problem('No such station.');
export const mismatch = problem('The station is not at the revision in If-Match; nothing was written.');
export const expired = problem('The requested revision is no longer available.');
export const diskFull = problem('The disk is full; nothing was written.');
