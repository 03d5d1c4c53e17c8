import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, parseStationAddress, type Source } from '@roster/client';
import type { Call } from '../command/command.ts';
import { escapeUnprintable } from '../terminal/escape-unprintable.ts';
import { showClock } from '../terminal/format-numbers.ts';

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
  /** How the names of its stations begin. */
  readonly namePrefix?: string | undefined;
  /** Names, or whole paths. */
  readonly stations?: readonly string[] | undefined;
}

/** Paths of the stations with a source that does not answer, or was not asked yet. Empty if that cannot be found out. */
export type Unwatched = Promise<ReadonlySet<string>>;

/** Shows states, and then which of them are old because a source does not answer. */
export async function showStates(
  call: Call,
  read: ReadSources,
  show: (unwatched: Unwatched) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const reading = readInTime(read, stopping.signal);
  try {
    await show(reading.then(unwatchedOf));
  } catch (error) {
    stopping.abort();
    throw error;
  }
  for (const line of staleLines(await reading)?.values() ?? []) await tell(call, line);
}

function unwatchedOf(sources: readonly Source[] = []): ReadonlySet<string> {
  const silent = sources.filter(({ health }) => health === 'down' || health === 'unknown');
  return new Set(silent.flatMap(({ stations }) => stations));
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
    const stale = staleLines(await readInTime(read, signal));
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

/** Undefined if it cannot be found out: other servers of the interface have no sources. */
async function readInTime(read: ReadSources, signal: AbortSignal): Promise<readonly Source[] | undefined> {
  const giveUp = AbortSignal.timeout(patienceMs);
  try {
    return (await read({ signal: AbortSignal.any([signal, giveUp]) })) ?? undefined;
  } catch {
    return undefined;
  }
}

/** By name of the source. */
function staleLines(sources: readonly Source[] | undefined): ReadonlyMap<string, string> | undefined {
  const down = sources?.filter(({ health }) => health === 'down');
  return down && new Map(down.map((source) => [source.name, staleLine(source)]));
}

function staleLine({ name, last_read }: Source): string {
  if (last_read === null) return `states may be wrong: ${name} has never answered`;
  return `state as of ${showClock(last_read)} UTC: ${name} does not answer`;
}

/** The sources with a station in these places. */
export function sourcesIn(sources: readonly Source[], places: Places): readonly Source[] {
  const { subscriptions, resourceGroups, zones, namePrefix = '', stations } = places;
  const allows = (names: readonly string[] | undefined, ...given: string[]) =>
    names === undefined || given.some((each) => names.includes(each));
  return sources.filter((source) =>
    source.stations.some((path) => {
      const { subscription, resourceGroup, zone, name } = parseStationAddress(path);
      return (
        allows(subscriptions, subscription) &&
        allows(resourceGroups, resourceGroup) &&
        allows(zones, zone) &&
        name.startsWith(namePrefix) &&
        allows(stations, name, path)
      );
    }),
  );
}
