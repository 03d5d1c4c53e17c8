import { noticingEnds } from './connect.ts';

const ask = noticingEnds((url, init) => fetch(url, init));

/** The server's error for a query that the console cannot parse. */
export interface QueryError {
  readonly parameter: string | undefined;
  readonly detail: string;
}

/** Sends the query of the address bar as it is; undefined if the server accepts it. */
export async function askForQueryError(
  listPath: string,
  search: URLSearchParams,
): Promise<QueryError | undefined> {
  const asked = new URLSearchParams(search);
  if (!asked.has('page.size')) asked.set('page.size', '0');
  const answer = await ask(`${listPath}?${asked}`);
  if (answer.status !== 400) return undefined;
  const { parameter, detail } = (await answer.json()) as QueryError;
  return { parameter, detail };
}

/** The version of the server, which only its OpenAPI document contains. */
export async function readServerVersion(): Promise<string> {
  const answer = await fetch('/openapi.json');
  const document = (await answer.json()) as { info: { version: string } };
  return document.info.version;
}
