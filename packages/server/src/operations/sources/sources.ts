import { isInScope, parseStationPath, quote, RosterError, stationNotFound } from '@roster/contract';
import type { CombinedAlert, SourceStatus } from '@roster/sources';
import type { Handlers } from '../../http/answer.ts';
import type { Principal } from '../../http/principal.ts';
import { readJson } from '../../http/read-json.ts';
import type { OperationOptions } from '../operation-options.ts';

type SourceOperation = 'listSources' | 'listUnmatched' | 'listAlerts' | 'receiveAlerts';

/** A group of some ten thousand alerts. */
const maxNotificationBytes = 16 * 1024 * 1024;

export function sourceOperations({ store, sources }: OperationOptions): Pick<Handlers, SourceOperation> {
  return {
    async listSources({ principal }) {
      const all = (await sources?.statuses()) ?? [];
      const own = all.map((status) => viewInScope(status, principal!));
      return { body: { sources: own.filter(({ stations }) => stations.length > 0) } };
    },

    async listUnmatched({ principal, params }) {
      const name = params.source_name!;
      const status = (await sources?.statuses())?.find((each) => each.name === name);
      // An unmatched alert may belong to any of its stations.
      const isOwn = status && stationsInScope(status, principal!).length === status.stations.length;
      const unmatched = isOwn ? await sources?.unmatched(name) : undefined;
      if (unmatched !== undefined) return { body: { unmatched } };
      throw new RosterError(
        'source_not_found',
        `there is no source ${quote(name)}, or some of its stations are outside your scopes`,
      );
    },

    async listAlerts({ address, params }) {
      const { resource } = await store.resource(address!, params.resource_id!);
      const alerts = (await sources?.alertsOf(address!, resource.resourceId)) ?? [];
      return { body: { alerts: alerts.map(viewAlert) } };
    },

    async receiveAlerts(exchange) {
      const { address } = exchange;
      const body = await readJson(exchange, maxNotificationBytes);
      if ((await store.head(address!)) === undefined) throw stationNotFound(address!);
      if (sources === undefined) {
        throw new RosterError('source_missing', 'no configured source covers this station');
      }
      return { body: await sources.receive(address!, body) };
    },
  };
}

/** What a caller may know of a source. */
function viewInScope(status: SourceStatus, principal: Principal): SourceStatus {
  const stations = stationsInScope(status, principal);
  const missing = status.missing_stations.filter((station) => stations.includes(station));
  return {
    ...status,
    stations,
    missing_stations: missing,
    health: status.health === 'no_station' && missing.length === 0 ? 'up' : status.health,
    warnings: [
      ...missing.map((station) => `the station ${station} does not exist; create it, or correct the source`),
      ...status.warnings,
    ],
    // Targets may belong to any of them.
    discovery: stations.length === status.stations.length ? status.discovery : null,
  };
}

function stationsInScope({ stations }: SourceStatus, { scopes }: Principal): string[] {
  return stations.filter((path) => {
    const address = parseStationPath(path)!;
    return scopes.some((scope) => isInScope(scope, address));
  });
}

function viewAlert(alert: CombinedAlert): object {
  const { fingerprint, state, sinceMs, labels, annotations, generatorUrl } = alert;
  const { silences, inhibitedBy, sources } = alert;
  return {
    fingerprint,
    state,
    since: new Date(sinceMs).toISOString(),
    labels,
    annotations,
    ...(generatorUrl !== undefined && { generator_url: generatorUrl }),
    silences: silences.map(({ id, createdBy, comment, untilMs }) => ({
      id,
      created_by: createdBy,
      comment,
      until: untilMs === undefined ? null : new Date(untilMs).toISOString(),
    })),
    inhibited_by: inhibitedBy,
    sources,
  };
}
