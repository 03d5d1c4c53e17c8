import type { Token } from './roster-wire.ts';

/** The tokens created with one, directly or not. `tokens` must be oldest first, as the server lists them. */
export function tokensMadeBy(id: string, tokens: readonly Token[]): readonly Token[] {
  const makers = new Set([id]);
  return tokens.filter((token) => {
    const isMade = token.maker_id !== null && makers.has(token.maker_id);
    if (isMade) makers.add(token.id);
    return isMade;
  });
}
