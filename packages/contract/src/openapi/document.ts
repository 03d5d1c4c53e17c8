import type { Access } from '../access/access.ts';
import { secureSessionCookieName, sessionCookieName } from '../access/session-cookie-name.ts';
import { limits } from '../limits.ts';
import { type OperationId, operations } from '../operations.ts';
import * as access from '../schemas/access.ts';
import * as listing from '../schemas/listing.ts';
import * as problems from '../schemas/problem.ts';
import * as resources from '../schemas/resource.ts';
import * as sources from '../schemas/source.ts';
import * as stations from '../schemas/station.ts';
import * as views from '../schemas/view.ts';
import { accessOperations } from './access-operations.ts';
import { catalogOperations } from './catalog-operations.ts';
import { type Json, problem, text } from './components.ts';
import { readOperations } from './read-operations.ts';
import { serverOperations } from './server-operations.ts';
import { sourceOperations } from './source-operations.ts';
import { viewOperations } from './view-operations.ts';
import { writeOperations } from './write-operations.ts';

const descriptions: Record<OperationId, Json> = {
  ...readOperations,
  ...writeOperations,
  ...catalogOperations,
  ...viewOperations,
  ...sourceOperations,
  ...accessOperations,
  ...serverOperations,
};

/** The OpenAPI 3.1 document, built from the schemas and operations that the server uses. */
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
        'What a station watches, the alert state of each resource, and what has no alert rules. ' +
        'The operation under `/monitor` is the documented list interface; everything under `/roster/v1` ' +
        `is the roster API. Pages hold at most ${limits.maxPageSize} resources; errors are problem documents (RFC 9457).`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'List', description: 'The documented operation.' },
      { name: 'Stations and resources', description: 'Import, export and changes of an inventory.' },
      { name: 'Sources', description: 'Prometheus and Alertmanager.' },
      { name: 'Resource types', description: 'Labels and defaults.' },
      { name: 'Views', description: 'Saved searches.' },
      { name: 'Access', description: 'Tokens and sessions.' },
      { name: 'Server', description: 'Health and documentation.' },
    ],
    paths,
    components: {
      securitySchemes,
      schemas: byName({
        ListResponse: listing.ListResponseSchema,
        Resource: listing.ListedResourceSchema,
        Page: listing.PageSchema,
        Record: resources.RecordSchema,
        RecordPatch: resources.RecordPatchSchema,
        ListedType: listing.ListedTypeSchema,
        ResourceRecord: resources.RecordViewSchema,
        SearchPage: resources.SearchPageSchema,
        FoundResource: resources.FoundResourceSchema,
        EverywherePage: resources.EverywherePageSchema,
        FacetCounts: resources.FacetCountsSchema,
        Change: resources.ChangeSchema,
        StoredResource: resources.StoredResourceSchema,
        WriteResult: resources.WriteResultSchema,
        Plan: resources.PlanSchema,
        HistoryPage: resources.HistoryPageSchema,
        Station: stations.StationSchema,
        StationPage: stations.StationPageSchema,
        Summary: stations.SummarySchema,
        Trends: stations.TrendsSchema,
        TrendPoint: stations.TrendPointSchema,
        ResourceType: stations.ResourceTypeSchema,
        ResourceTypes: stations.ResourceTypesSchema,
        PutType: stations.PutTypeSchema,
        SavedView: views.SavedViewSchema,
        SavedViewPage: views.SavedViewPageSchema,
        PutView: views.PutViewSchema,
        Source: sources.SourceSchema,
        Sources: sources.SourcesSchema,
        UnmatchedAlert: sources.UnmatchedAlertSchema,
        UnmatchedAlerts: sources.UnmatchedAlertsSchema,
        Alert: sources.AlertSchema,
        Alerts: sources.AlertsSchema,
        ReceivedAlerts: sources.ReceivedAlertsSchema,
        Token: access.TokenSchema,
        Tokens: access.TokensSchema,
        NewToken: access.NewTokenSchema,
        CreatedToken: access.CreatedTokenSchema,
        Revocation: access.RevocationSchema,
        Session: access.SessionSchema,
        NewSession: access.NewSessionSchema,
        Health: problems.HealthSchema,
        Problem: problems.ProblemSchema,
      }),
    },
  };
}

/** The schemas, each referring to the others by name: generated clients get a type for each. */
function byName(schemas: Readonly<Record<string, unknown>>): Json {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  const refer = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const name = names.get(JSON.stringify(value));
    return name === undefined ? referInside(value) : { $ref: `#/components/schemas/${name}` };
  };
  const referInside = (value: object): unknown => {
    if (Array.isArray(value)) return value.map(refer);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, refer(inner)]));
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, referInside(schema as object)]),
  );
}

const neededScope = {
  station: ' and a scope that has the station',
  own: '',
  everything: ' and the scope `**`',
};

const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token, or a JWT of the configured OIDC issuer.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description: `For browsers. Over HTTPS its name is \`${secureSessionCookieName}\`.`,
  },
};

const busy = {
  429: problem('Too many requests; try again after Retry-After.'),
  503: problem('The server cannot answer now; try again after Retry-After.'),
};

function describeOperation(id: OperationId): Json {
  const { responses, ...rest } = descriptions[id];
  const { method, access: needed } = operations[id];
  const { security, refusals } = describeAccess(needed);
  const isProbe = id === 'health' || id === 'readiness';
  return {
    ...rest,
    security,
    responses: {
      ...refusals,
      ...(isProbe ? {} : busy),
      ...(method === 'GET' ? (responses as Json) : withRequestId(responses as Record<string, Json>)),
      default: problem('Any other error.'),
    },
  };
}

function describeAccess(needed: Access): { security: Json[]; refusals: Json } {
  if (needed === 'open') return { security: [], refusals: {} };
  const refusals = {
    401: problem('There is no valid token.'),
    403: problem(`This needs the role ${needed.role}${neededScope[needed.over]}.`),
  };
  return { security: [{ token: [] }, { session: [] }], refusals };
}

/** Answers to writes name their request, as errors do in their body. */
function withRequestId(responses: Record<string, Json>): Json {
  const header = { 'X-Request-Id': { schema: text, description: 'Finds the request in the audit.' } };
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const isError = Number(status) >= 400;
      return [
        status,
        isError ? response : { ...response, headers: { ...(response.headers as Json), ...header } },
      ];
    }),
  );
}
