import type { Arguments } from '../command/arguments.ts';
import { CommandError, fileReason, UsageError } from '../command/errors.ts';

const { readFileSync } = process.getBuiltinModule('node:fs');

/** The token from `--token`: the text itself, `-` for standard input, or `@FILE`. */
export function readToken(given: Arguments): string | undefined {
  const text = given.text('token');
  if (text === undefined || !/^(-$|@)/.test(text)) return text;
  const file = text === '-' || text === '@-' ? 0 : text.slice(1);
  const isTaken = given.positionals.includes('-') || given.all('id').includes('@-');
  if (file === 0 && isTaken)
    throw new UsageError('standard input cannot hold both the token and other input');
  const token = readFile(file).trim();
  if (token === '') throw new UsageError(`--token: ${file === 0 ? 'standard input' : file} is empty`);
  return token;
}

function readFile(file: string | 0): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(
      `cannot read the token from ${file === 0 ? 'standard input' : file}: ${fileReason(error)}`,
      { cause: error },
    );
  }
}
