import type { Arguments } from './arguments.ts';
import { UsageError } from './errors.ts';

/** The revision in a flag, in the form that commands print. */
export async function readRevision(
  given: Arguments,
  flag: 'since' | 'if-revision',
): Promise<string | undefined> {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const { parseHistoryPosition } = await import('@roster/contract');
  try {
    const { within } = parseHistoryPosition(text, flag);
    if (within === undefined || flag === 'since') return text;
  } catch {}
  const hint = flag === 'since' ? '; --after takes a time' : '';
  throw new UsageError(
    `--${flag} must be a revision such as k3v9x0a1bc.42, got ${JSON.stringify(text)}${hint}`,
  );
}
