import { listPath } from './contender.ts';

/** Resolves to how many resources a station has. */
export async function listOnce({ origin }: { origin: string }, station = 'bench'): Promise<number> {
  const response = await fetch(`${origin}${listPath('page.size=20', station)}`);
  if (!response.ok) throw new Error(`list answered ${response.status}: ${await response.text()}`);
  const { page } = (await response.json()) as { page: { total: number } };
  return page.total;
}
