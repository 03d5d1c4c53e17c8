import {
  type Operation,
  type OperationId,
  operations,
  ownParameterNames,
  RosterError,
  refuseParameters,
  revisionHeader,
  type StationAddress,
} from '@roster/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../access/authenticator.ts';
import { authorise } from '../access/authorise.ts';
import type { OpenExchanges } from '../access/open-exchanges.ts';
import type { Principal } from '../access/principal.ts';
import type { Audit } from '../audit/audit.ts';
import type { Gate } from '../protection/gate.ts';
import { type RateLimits, setRawHeaders } from '../protection/rate-limits.ts';
import { isProbe } from './probes.ts';
import { contextOf, type RequestContext } from './request-context.ts';

declare module 'fastify' {
  interface FastifyInstance {
    authenticator: Authenticator;
    exchanges: OpenExchanges;
    audit: Audit;
    gate: Gate;
    rates: RateLimits;
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

const ownNamespace = '/roster/v1/';

/** The writes that can depend on the revision of a station, or on the version of a type. */
const conditionalWrites: ReadonlySet<OperationId> = new Set([
  'writeResources',
  'removeResource',
  'deleteStation',
  'putType',
  'deleteType',
]);

/** Registers the handler of an operation, behind its access. One that has no parameters refuses any, as the list refuses unknown ones. */
export function route(app: FastifyInstance, id: OperationId, handler: Handler): void {
  const { method, path, access }: Operation = operations[id];
  const isConditional = method === 'GET' || conditionalWrites.has(id);
  const isBare = path.startsWith(ownNamespace) && !Object.hasOwn(ownParameterNames, id);
  app.route({
    method,
    url: path.replace(/\{([^}]+)\}/g, ':$1'),
    handler: async (request, reply) => {
      const context = describeRequest(request, id);
      if (method !== 'GET') app.gate.refuseForeignWrites(request.raw);
      if (access !== 'open') {
        context.principal = await app.authenticator.authenticate(request.raw);
        countRequest(request, reply);
        authorise(access, context.principal, context.address);
        app.exchanges.watch(reply.raw, context.principal);
      }
      if (access === 'open' && !isProbe(id)) countRequest(request, reply);
      if (isBare) refuseParameters(searchOf(request));
      if (!isConditional) refuseCondition(request, 'if-match');
      if (method !== 'GET' && id !== 'putType') refuseCondition(request, 'if-none-match');
      if (method === 'GET') return handler(request, reply);
      reply.header('X-Request-Id', context.requestId);
      const answer = await handler(request, reply);
      const revision = reply.getHeader(revisionHeader) as string | undefined;
      app.audit.record(request.raw, { status: reply.statusCode, revision });
      return answer;
    },
  });
}

/** Throws `rate_limited` when whoever sent the request has sent too many, and else tells how many are left. */
export function countRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { principal } = contextOf(request.raw);
  setRawHeaders(reply.raw, request.server.rates.take(principal, request.raw, reply.raw));
}

/** Whom the request was let in for. */
export function principalOf(request: FastifyRequest): Principal {
  return contextOf(request.raw).principal!;
}

/** Throws `unauthorized` when a body took so long to arrive that its sender has lost its rights meanwhile. */
export function requireStillValid(request: FastifyRequest): void {
  const { principal } = contextOf(request.raw);
  if (principal !== undefined) request.server.authenticator.requireValid(principal);
}

function describeRequest(request: FastifyRequest, id: OperationId): RequestContext {
  const { telemetry_station_name, resource_id, type_key, token_id } = request.params as Record<
    string,
    string
  >;
  const context = contextOf(request.raw);
  context.operation = id;
  context.address = telemetry_station_name === undefined ? undefined : addressOf(request);
  context.target = resource_id ?? type_key ?? token_id;
  return context;
}

/** Whoever sends a condition relies on it. */
function refuseCondition(request: FastifyRequest, header: 'if-match' | 'if-none-match'): void {
  if (request.headers[header] === undefined) return;
  const parameter = header === 'if-match' ? 'If-Match' : 'If-None-Match';
  const detail = `this operation cannot be made conditional with ${parameter}`;
  throw new RosterError('invalid_parameter', detail, { parameter });
}

/** The part of the URL behind `?`. */
export function searchOf(request: FastifyRequest): string {
  const url = request.raw.url!;
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

export function addressOf(request: FastifyRequest): StationAddress {
  const parameters = request.params as Record<string, string>;
  return {
    subscription: parameters.subscription_name!,
    resourceGroup: parameters.resource_group_name!,
    zone: parameters.zone!,
    name: parameters.telemetry_station_name!,
  };
}
