import { limits } from './limits.ts';
import { describeOperation } from './openapi-operations.ts';
import { type OperationId, operations } from './operations.ts';
import * as schemas from './schemas.ts';

/** The OpenAPI 3.1 document of the server, made from the same schemas and operations that the server uses. */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries(operations)) {
    const described = { operationId: id, ...describeOperation(id as OperationId) };
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Roster',
      version,
      description:
        'What a monitoring space watches, in which alert state each resource is, and what has no alert rules. ' +
        'The operation under `/monitor` is the documented listing interface; everything under `/roster/v1` ' +
        `is Roster's own. Pages hold at most ${limits.maxPageSize} resources; errors are problem documents (RFC 9457).`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'List', description: 'The documented operation.' },
      { name: 'Stations and resources', description: 'Bringing an inventory in and taking it out.' },
      { name: 'Server', description: 'Health and documentation.' },
    ],
    paths,
    components: {
      schemas: {
        ListResponse: schemas.ListResponseSchema,
        Resource: schemas.ListedResourceSchema,
        Page: schemas.PageSchema,
        Record: schemas.RecordSchema,
        Station: schemas.StationSchema,
        WriteResult: schemas.WriteResultSchema,
        Health: schemas.HealthSchema,
        Problem: schemas.ProblemSchema,
      },
    },
  };
}
