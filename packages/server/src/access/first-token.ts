import { readFile } from 'node:fs/promises';
import { fullScope } from '@roster/contract';
import type { TokenStore } from '@roster/engine';
import { InvalidSettings } from '../settings/invalid-settings.ts';
import { makeToken } from './make-token.ts';
import { isTokenText } from './token-text.ts';

/** Adds a token that may do everything, so that someone can get in. Resolves to whether it did: there has never been one. */
export function addFirstToken(store: TokenStore, text: string): Promise<boolean> {
  const token = makeToken(text, {
    name: 'first',
    role: 'admin',
    scopes: [fullScope],
    createdBy: 'the first start',
    createdAtMs: Date.now(),
    expiresAtMs: undefined,
  });
  return store.addFirst(token);
}

/** The text of a token that an operator has put into a file. */
export async function readTokenFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InvalidSettings([`the bootstrap token file ${file} cannot be read: ${error.code}`]);
  });
  if (isTokenText(text.trim())) return text.trim();
  throw new InvalidSettings([
    `the bootstrap token file ${file} must hold a token and nothing else; roster token generate makes one`,
  ]);
}
