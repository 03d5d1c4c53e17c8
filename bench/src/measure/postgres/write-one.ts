import { rosterStationPath } from '../../servers/contender.ts';

/** Writes resources with the given sku, and returns the revision number. */
export async function writeOne(
  origin: string,
  station: string,
  { sku, resources }: { sku: string; resources: number },
): Promise<number> {
  const lines = Array.from({ length: resources }, (_, at) =>
    JSON.stringify({
      resource_id: `r-${at}`,
      name: `r-${at}`,
      resource_type: 'resource_type.compute.vm',
      sku,
    }),
  );
  const response = await fetch(`${origin}${rosterStationPath(station)}/resources`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`write answered ${response.status}: ${answer}`);
  return numberOf((JSON.parse(answer) as { revision: string }).revision);
}

export function numberOf(revision: string): number {
  return Number(revision.split('.')[1]);
}
