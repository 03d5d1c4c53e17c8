import {
  checkNewStationAddress,
  formatRevision,
  parseIfMatch,
  parseStationsQuery,
  revisionHeader,
  stationNotFound,
  stationPath,
} from '@roster/contract';
import type { Station, Store } from '@roster/engine';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addressOf, principalOf, route, searchOf } from './route.ts';

export function registerStationRoutes(app: FastifyInstance, store: Store): void {
  route(app, 'listStations', async (request) => {
    const query = parseStationsQuery(searchOf(request));
    const { stations, total } = await store.stations({ ...query, scopes: principalOf(request).scopes });
    const page = { offset: query.offset, size: query.limit, total };
    return { stations: stations.map(viewStation), page };
  });

  route(app, 'getStation', async (request, reply) => {
    const address = addressOf(request);
    const station = await store.station(address);
    if (station === undefined) throw stationNotFound(address);
    return sendStation(reply, station);
  });

  route(app, 'createStation', async (request, reply) => {
    const address = addressOf(request);
    checkNewStationAddress(address);
    const { created } = await store.createStation(address);
    const station = await store.station(address);
    if (station === undefined) throw stationNotFound(address);
    return sendStation(reply.code(created ? 201 : 200), station);
  });

  route(app, 'deleteStation', async (request, reply) => {
    const address = addressOf(request);
    const ifRevision = parseIfMatch(request.headers['if-match']);
    if (!(await store.deleteStation(address, { ifRevision }))) throw stationNotFound(address);
    return reply.code(204).send();
  });
}

function sendStation(reply: FastifyReply, station: Station): FastifyReply {
  return reply.header(revisionHeader, formatRevision(station.head)).send(viewStation(station));
}

function viewStation({ address, head, counts }: Station): object {
  const { resources: total, alertable, uncovered, byState: states } = counts;
  return {
    station: stationPath(address),
    subscription_name: address.subscription,
    resource_group_name: address.resourceGroup,
    zone: address.zone,
    telemetry_station_name: address.name,
    revision: formatRevision(head),
    resources: { total, alertable, covered: alertable - uncovered, uncovered, states },
  };
}
