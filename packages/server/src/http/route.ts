import {
  type Operation,
  type OperationId,
  operations,
  ownParameterNames,
  RosterError,
  refuseParameters,
  type StationAddress,
} from '@roster/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

const ownNamespace = '/roster/v1/';

/** The writes that can depend on the revision of a station. */
const conditionalWrites: ReadonlySet<OperationId> = new Set([
  'writeResources',
  'removeResource',
  'deleteStation',
]);

/** Registers the handler of an operation. One that has no parameters refuses any, as the list refuses unknown ones. */
export function route(app: FastifyInstance, id: OperationId, handler: Handler): void {
  const { method, path }: Operation = operations[id];
  const isConditional = method === 'GET' || conditionalWrites.has(id);
  const isBare = path.startsWith(ownNamespace) && !Object.hasOwn(ownParameterNames, id);
  app.route({
    method,
    url: path.replace(/\{([^}]+)\}/g, ':$1'),
    handler: async (request, reply) => {
      if (isBare) refuseParameters(searchOf(request));
      if (!isConditional) refuseCondition(request, 'if-match');
      if (method !== 'GET') refuseCondition(request, 'if-none-match');
      return handler(request, reply);
    },
  });
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
