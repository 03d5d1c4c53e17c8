import {
  checkNewStationAddress,
  formatRevision,
  parseIfMatch,
  parseStationsQuery,
  revisionHeader,
  stationNotFound,
  stationPath,
} from '@roster/contract';
import type { Station } from '@roster/engine';
import type { Answer, Handlers } from '../../http/answer.ts';
import type { OperationOptions } from '../operation-options.ts';

type StationOperation = 'listStations' | 'getStation' | 'createStation' | 'deleteStation';

export function stationOperations({ store, heavyReads }: OperationOptions): Pick<Handlers, StationOperation> {
  return {
    async listStations(exchange) {
      const query = parseStationsQuery(exchange.search);
      const { scopes } = exchange.principal!;
      const read = heavyReads.begin(exchange);
      const { stations, total } = await read.ask(async () => store.stations({ ...query, scopes }));
      await read.slicer.pause();
      const page = { offset: query.offset, size: query.limit, total };
      return { body: { stations: stations.map(viewStation), page } };
    },

    async getStation({ address }) {
      const station = await store.station(address!);
      if (station === undefined) throw stationNotFound(address!);
      return answerWith(station);
    },

    async createStation({ address }) {
      checkNewStationAddress(address!);
      const { created } = await store.createStation(address!);
      const station = await store.station(address!);
      if (station === undefined) throw stationNotFound(address!);
      return { status: created ? 201 : 200, ...answerWith(station) };
    },

    async deleteStation({ address, request }) {
      const ifRevision = parseIfMatch(request.headers['if-match']);
      if (!(await store.deleteStation(address!, { ifRevision }))) throw stationNotFound(address!);
      return { status: 204 };
    },
  };
}

function answerWith(station: Station): Answer {
  return { headers: { [revisionHeader]: formatRevision(station.head) }, body: viewStation(station) };
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
