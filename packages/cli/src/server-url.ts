import { UsageError } from './errors.ts';

const example = 'such as https://roster.example.com';
const httpScheme = /^https?:\/\//i;

/** The URL of a server, of which `http://` may be left out. What is wrong is said of `from`; no password is repeated. */
export function readServerUrl(text: string, from: string): string {
  // A colon before digits is that of a port.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text);
  if (hasScheme && !httpScheme.test(text))
    throw new UsageError(`${from} must be a URL that begins with http:// or https://, ${example}`);
  const written = withScheme(text);
  if (!URL.canParse(written)) throw new UsageError(`${from} must be a URL ${example}`);
  const { username, password, search, hash } = new URL(written);
  if (username !== '' || password !== '')
    throw new UsageError(`${from} must hold no user and no password; --token is for the token`);
  if (search !== '' || hash !== '') throw new UsageError(`${from} must have neither ? nor #, ${example}`);
  return written;
}

/** Whether a text names a server that was read before. */
export function isServerUrl(text: string | undefined, server: string): boolean {
  return text !== undefined && withScheme(text) === server;
}

function withScheme(text: string): string {
  return (httpScheme.test(text) ? text : `http://${text}`).replace(/\/+$/, '');
}

/** A URL as it may be shown. */
export function withoutCredentials(url: string): string {
  return url.replace(/^((?:[a-z]+:\/\/)?).*@/i, '$1***@');
}
