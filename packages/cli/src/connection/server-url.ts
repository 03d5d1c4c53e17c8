import { UsageError } from '../command/errors.ts';

const example = 'such as https://roster.example.com';
const httpScheme = /^https?:\/\//i;

/** Reads a server URL; `http://` is optional. Errors name `from` as the source and hide passwords. */
export function readServerUrl(text: string, from: string): string {
  // A colon before digits starts a port.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  if (hasScheme && !httpScheme.test(text))
    throw new UsageError(`${from} must be a URL starting with http:// or https://, ${example}`);
  const written = withScheme(text);
  if (!URL.canParse(written)) throw new UsageError(`${from} must be a URL ${example}`);
  const { username, password, search, hash } = new URL(written);
  if (username !== '' || password !== '')
    throw new UsageError(`${from} must not contain a user or password; pass the token with --token`);
  if (search !== '' || hash !== '') throw new UsageError(`${from} must not contain ? or #, ${example}`);
  return written;
}

/** Whether a text is the URL of this server. */
export function isServerUrl(text: string | undefined, server: string): boolean {
  return text !== undefined && withScheme(text) === server;
}

function withScheme(text: string): string {
  return (httpScheme.test(text) ? text : `http://${text}`).replace(/\/+$/, '');
}

/** The URL without user and password. */
export function withoutCredentials(url: string): string {
  return url.replace(/^((?:[a-z]+:\/\/)?).*@/i, '$1***@');
}
