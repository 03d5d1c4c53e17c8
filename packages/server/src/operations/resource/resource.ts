import { formatRevision, parseIfMatch, viewRecord } from '@roster/contract';
import type { Handlers } from '../../http/answer.ts';
import { nameWithId } from '../../http/principal.ts';
import type { OperationOptions } from '../operation-options.ts';
import { labelsForRequest } from '../snapshot/request-labels.ts';
import { writeAnswer } from '../write/write.ts';

/** Single resources of a station. */
export function resourceOperations({
  store,
  engine,
}: OperationOptions): Pick<Handlers, 'getResource' | 'removeResource'> {
  return {
    async getResource({ address, params, request }) {
      const { resource, revision, changedAtMs, changedBy } = await store.resource(
        address!,
        params.resource_id!,
      );
      const { labelOf, headers } = await labelsForRequest(request, engine);
      return {
        headers,
        body: {
          ...viewRecord(resource, labelOf(resource.typeKey)),
          revision: formatRevision(revision),
          changed_at: new Date(changedAtMs).toISOString(),
          ...(changedBy !== undefined && { changed_by: changedBy }),
        },
      };
    },

    async removeResource({ address, params, request, principal }) {
      const ifRevision = parseIfMatch(request.headers['if-match']);
      const changedBy = nameWithId(principal!);
      return writeAnswer(
        await store.removeResource(address!, params.resource_id!, { ifRevision, changedBy }),
      );
    },
  };
}
