import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, parseStationAddress, type Source } from '@roster/client';
import type { Call } from '../command/command.ts';
import { escapeUnprintable } from '../terminal/escape-unprintable.ts';

/** What shows states does not wait longer for this. */
const patienceMs = 3_000;
const lookAgainMs = 5_000;

/** Reads the sources of what a command shows. */
export type ReadSources = (options: CallOptions) => Promise<readonly Source[]>;

/** Places to which a search is limited, as a query has them. */
interface Places {
  readonly subscriptions?: readonly string[] | undefined;
  readonly resourceGroups?: readonly string[] | undefined;
  readonly zones?: readonly string[] | undefined;
  /** Names, or whole paths. */
  readonly stations?: readonly string[] | undefined;
}

/** Shows states, and then which of them are old because a source does not answer. */
export async function showStates(call: Call, read: ReadSources, show: () => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const reading = staleLines(read, stopping.signal);
  try {
    await show();
  } catch (error) {
    stopping.abort();
    throw error;
  }
  for (const line of (await reading)?.values() ?? []) await tell(call, line);
}

/** The same for states that are followed: says it when a source goes down, and when it is back. */
export async function followStates(
  call: Call,
  read: ReadSources,
  follow: () => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  // It only adds to what is followed, and ends with it.
  const watching = watchSources(call, read, stopping.signal).catch(() => undefined);
  try {
    await follow();
  } finally {
    stopping.abort();
    await watching;
  }
}

async function watchSources(call: Call, read: ReadSources, signal: AbortSignal): Promise<void> {
  let told: ReadonlyMap<string, string> = new Map();
  while (!signal.aborted) {
    const stale = await staleLines(read, signal);
    if (stale !== undefined && !signal.aborted) {
      for (const [name, line] of stale) if (!told.has(name)) await tell(call, line);
      for (const name of told.keys()) if (!stale.has(name)) await tell(call, `${name} answers again`);
      told = stale;
    }
    await sleep(lookAgainMs, undefined, { signal, ref: false });
  }
}

async function tell({ terminal }: Call, line: string): Promise<void> {
  await terminal.tell(`roster: ${escapeUnprintable(line)}`);
}

/** By name of the source. Undefined if it cannot be found out: other servers of the interface have no sources. */
async function staleLines(
  read: ReadSources,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | undefined> {
  const giveUp = AbortSignal.timeout(patienceMs);
  try {
    const sources = await read({ signal: AbortSignal.any([signal, giveUp]) });
    const down = sources.filter(({ health }) => health === 'down');
    return new Map(down.map((source) => [source.name, staleLine(source)]));
  } catch {
    return undefined;
  }
}

function staleLine({ name, last_read }: Source): string {
  if (last_read === null) return `states may be old: ${name} has never answered`;
  return `state as of ${showTime(new Date(last_read))}: ${name} does not answer`;
}

/** With the date unless it is today. */
function showTime(time: Date): string {
  const [date, clock] = time.toISOString().slice(0, 16).split('T');
  const isToday = new Date().toISOString().startsWith(date!);
  return `${isToday ? '' : `${date} `}${clock} UTC`;
}

/** The sources with a station in these places. */
export function sourcesIn(sources: readonly Source[], places: Places): readonly Source[] {
  const { subscriptions, resourceGroups, zones, stations } = places;
  const allows = (names: readonly string[] | undefined, ...given: string[]) =>
    names === undefined || given.some((each) => names.includes(each));
  return sources.filter((source) =>
    source.stations.some((path) => {
      const { subscription, resourceGroup, zone, name } = parseStationAddress(path);
      return (
        allows(subscriptions, subscription) &&
        allows(resourceGroups, resourceGroup) &&
        allows(zones, zone) &&
        allows(stations, name, path)
      );
    }),
  );
}
