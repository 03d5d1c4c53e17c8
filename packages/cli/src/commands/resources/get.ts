import type { CallOptions, Resource, StationClient } from '@roster/client';
import type { Call, Command } from '../../command/command.ts';
import { CommandError } from '../../command/errors.ts';
import { exitCodes } from '../../command/exit-codes.ts';
import { connectionFlags, openStationAnd } from '../../connection/connection.ts';
import { isOtherServer } from '../../connection/other-server.ts';
import { printValue, valueFlags } from '../../output/print-value.ts';
import { showState, stateStyle } from '../../output/resource-view.ts';
import { showStates } from '../../output/stale-states.ts';
import { escapeUnprintable } from '../../terminal/escape-unprintable.ts';
import type { Paint, Style } from '../../terminal/paint.ts';

export const get: Command = {
  name: 'get',
  usage: '[STATION] RESOURCE_ID [FLAGS]',
  about:
    'Shows one resource with all its fields. Roster also returns its product, whether it can have alerts, and ' +
    'when it last changed; other servers return the fields of the list.',
  takes: [1, 2],
  flags: { ...valueFlags, ...connectionFlags },
  examples: [
    ['roster get demo/sample/zone-1/station-1 res-c3794a08ca26', 'one resource'],
    ['roster get res-c3794a08ca26 -o json | jq -r .state', 'one field, with the station from ROSTER_STATION'],
  ],
  run: runGet,
};

async function runGet(call: Call): Promise<void> {
  const { station, argument: id } = await openStationAnd(call);
  const read = (options: CallOptions) => station.manage.sources(options);
  await showStates(call, read, async (unwatched) => {
    const resource = await readResource(station, id);
    const isWatched = resource.alert_rules_count > 0 && (await unwatched).size === 0;
    const style = stateStyle(resource.state, isWatched);
    await printValue(resource, () => renderResource(resource, style, call.terminal.paint), call);
  });
}

async function readResource(station: StationClient, id: string): Promise<Resource> {
  try {
    return await station.manage.resource(id);
  } catch (error) {
    if (!isOtherServer(error)) throw error;
  }
  const { resources } = await station.list({ resourceIds: [id] });
  const found = resources.find(({ resource_id }) => resource_id === id);
  if (found !== undefined) return found;
  throw new CommandError(`the station has no resource ${JSON.stringify(id)}`, {
    exitCode: exitCodes.notFound,
  });
}

function renderResource(resource: Resource, stateStyle: Style | undefined, paint: Paint): string {
  const entries = Object.entries(resource).map(([name, value]) => [name, showField(name, value)] as const);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, text]) => {
      const style = name === 'state' ? stateStyle : isAlarming(name, resource) ? 'yellow' : undefined;
      return `${paint('dim', escapeUnprintable(name).padEnd(width))}  ${paint(style, text)}`.trimEnd();
    })
    .concat('')
    .join('\n');
}

function isAlarming(name: string, { alert_rules_count: rules }: Resource): boolean {
  return name === 'alert_rules_count' && rules === 0;
}

function showField(name: string, value: unknown): string {
  if (name === 'state') return escapeUnprintable(showState(String(value)));
  if (name !== 'resource_type')
    return escapeUnprintable(typeof value === 'string' ? value : JSON.stringify(value));
  const { key, label } = value as Resource['resource_type'];
  return escapeUnprintable(`${label} (${key})`);
}
