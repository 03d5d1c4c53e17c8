import type { RequestListener } from 'node:http';
import {
  checkNewStationAddress,
  formatRevision,
  type Operation,
  operations,
  quote,
  RosterError,
  revisionHeader,
  type StationAddress,
  stationNotFound,
  stationPath,
} from '@roster/contract';
import type { Store, WriteResult } from '@roster/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodyTooLarge } from '../ingest/decode-body.ts';
import { recordFormat } from '../ingest/record-format.ts';
import { writeBody } from '../ingest/write-body.ts';
import { Docs } from './docs.ts';

export interface RouteOptions {
  readonly store: Store;
  readonly maxBodyBytes: number;
  readonly isDraining: () => boolean;
  readonly onNotFound: RequestListener;
}

/** Registers every operation but the list, which `ListHandler` answers. */
export function registerRoutes(app: FastifyInstance, options: RouteOptions): void {
  const { store } = options;

  route(app, operations.createStation, async (request, reply) => {
    const address = addressOf(request);
    checkNewStationAddress(address);
    const { created, head } = await store.createStation(address);
    return reply
      .code(created ? 201 : 200)
      .header(revisionHeader, formatRevision(head))
      .send({ station: stationPath(address), revision: formatRevision(head) });
  });

  route(app, operations.deleteStation, async (request, reply) => {
    const address = addressOf(request);
    if (!(await store.deleteStation(address))) throw stationNotFound(address);
    return reply.code(204).send();
  });

  route(app, operations.writeResources, async (request, reply) => {
    const address = addressOf(request);
    const format = recordFormat(request.headers['content-type']);
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > options.maxBodyBytes) throw bodyTooLarge(options.maxBodyBytes);
    const batch = await store.openBatch(address);
    const chunks = request.raw.iterator({ destroyOnReturn: false });
    try {
      const encoding = request.headers['content-encoding'];
      const body = {
        chunks,
        format,
        encoding,
        maxBytes: options.maxBodyBytes,
        station: stationPath(address),
      };
      const result = await writeBody(body, batch);
      return sendWriteResult(reply, result);
    } finally {
      // A client that sends before it reads would never hear of a refusal if the rest were left unread.
      request.raw.resume();
    }
  });

  route(app, operations.removeResource, async (request, reply) => {
    const { resource_id: resourceId } = request.params as { resource_id: string };
    return sendWriteResult(reply, await store.removeResource(addressOf(request), resourceId));
  });

  route(app, operations.health, async () => ({ status: 'ok' }));

  route(app, operations.readiness, async () => {
    if (options.isDraining()) throw new RosterError('shutting_down', 'the server is shutting down');
    return { status: 'ready' };
  });

  const docs = new Docs(options.onNotFound);
  route(app, operations.openapi, () => docs.document());
  docs.register(app);
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

function route(app: FastifyInstance, operation: Operation, handler: Handler): void {
  const url = operation.path.replace(/\{([^}]+)\}/g, ':$1');
  app.route({
    method: operation.method,
    url,
    handler: async (request, reply) => {
      if (url.startsWith(ownNamespace)) refuseParameters(request.query as Record<string, unknown>);
      return handler(request, reply);
    },
  });
}

const ownNamespace = '/roster/v1/';

/** A parameter that does nothing is a mistake here as in the list: someone relies on it. */
function refuseParameters(query: Record<string, unknown>): void {
  const name = Object.keys(query)[0];
  if (name === undefined) return;
  throw new RosterError('unknown_parameter', `unknown parameter ${quote(name)}; this operation has none`, {
    parameter: name,
  });
}

function addressOf(request: FastifyRequest): StationAddress {
  const parameters = request.params as Record<string, string>;
  return {
    subscription: parameters.subscription_name!,
    resourceGroup: parameters.resource_group_name!,
    zone: parameters.zone!,
    name: parameters.telemetry_station_name!,
  };
}

function sendWriteResult(
  reply: FastifyReply,
  { head, created, updated, unchanged, removed }: WriteResult,
): FastifyReply {
  const revision = formatRevision(head);
  return reply.header(revisionHeader, revision).send({ revision, created, updated, unchanged, removed });
}
