import { parseRevision } from '@roster/contract';
import type { Engine, Labels, Snapshot } from '@roster/engine';
import type { Exchange } from '../../http/exchange.ts';
import { type LocalisedSnapshot, localise } from './localised-snapshot.ts';

/** One snapshot of a station in one language, as a request asked for it. */
export interface StationReading {
  readonly snapshot: Snapshot;
  readonly labels: Labels;
  readonly localised: LocalisedSnapshot;
}

/** Follows Roster-Revision and Accept-Language just as the list does. */
export async function readStation(
  { request, address, principal }: Exchange,
  engine: Engine,
): Promise<StationReading> {
  const pin = request.headers['roster-revision'];
  const revision = pin === undefined ? undefined : parseRevision(String(pin));
  const snapshot = await engine.read(address!, revision, principal!.id);
  const labels = engine.knownLabels();
  const locale = labels.localeFor(request.headers['accept-language']);
  return { snapshot, labels, localised: localise(snapshot, labels, locale) };
}
