import { type JsonAnswer, type Malformed, revisionHeader } from '../http/request.ts';
import type { ListResponse, Page, Resource } from '../wire.ts';
import { readCount, readResource } from './read-resource.ts';

/** One response of the list operation, with its headers if the server sends them. */
export interface ListAnswer extends ListResponse {
  /** Only Roster names its snapshots. */
  readonly revision: string | undefined;
  readonly etag: string | undefined;
  /** The language of the type labels. */
  readonly language: string | undefined;
  /** What may have been meant, if nothing matches. Only Roster gives hints. */
  readonly hint: string | undefined;
}

export function readList({ headers, value, malformed }: JsonAnswer): ListAnswer {
  const { resources, page } = readEnvelope(value, malformed);
  return {
    resources,
    page,
    revision: headers.get(revisionHeader) ?? undefined,
    etag: headers.get('etag') ?? undefined,
    language: headers.get('content-language') ?? undefined,
    hint: headers.get('roster-hint') ?? undefined,
  };
}

function readEnvelope(value: unknown, malformed: Malformed): ListResponse {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('JSON that is not an object with resources and page');
  }
  const { resources, page } = value as Record<string, unknown>;
  if (Array.isArray(resources)) {
    for (let at = 0; at < resources.length; at++) resources[at] = readResource(resources[at], malformed);
    return { resources: resources as Resource[], page: readPage(page) };
  }
  if (!isEmptyList(value, resources)) {
    throw malformed('an object without a list of resources', JSON.stringify(value));
  }
  return { resources: [], page: readPage(page) };
}

/** Some servers send null or nothing for an empty list; an error with status 200 has other members. */
function isEmptyList(value: object, resources: unknown): boolean {
  const isAbsent = resources === undefined || resources === null;
  return isAbsent && Object.keys(value).every((name) => name === 'resources' || name === 'page');
}

/** A page without a total adds nothing to the request, so it counts as none. */
function readPage(page: unknown): Page | null {
  if (typeof page !== 'object' || page === null) return null;
  const { offset, size, total } = page as Record<string, unknown>;
  const exactTotal = readCount(total);
  if (exactTotal === undefined) return null;
  return { ...page, offset: readCount(offset) ?? 0, size: readCount(size) ?? 0, total: exactTotal };
}
