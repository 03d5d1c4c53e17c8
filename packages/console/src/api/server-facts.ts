import { noticingEnds } from './connect.ts';

const ask = noticingEnds((url, init) => fetch(url, init));

/** What the server says of a query that the console cannot read. */
export interface QueryFault {
  readonly parameter: string | undefined;
  readonly detail: string;
}

/** Sends a query as it stands in the address bar; undefined when the server finds nothing wrong with it. */
export async function askForFault(
  listPath: string,
  search: URLSearchParams,
): Promise<QueryFault | undefined> {
  const asked = new URLSearchParams(search);
  if (!asked.has('page.size')) asked.set('page.size', '0');
  const answer = await ask(`${listPath}?${asked}`);
  if (answer.status !== 400) return undefined;
  const { parameter, detail } = (await answer.json()) as QueryFault;
  return { parameter, detail };
}

/** The version of the server, which only its description of the interface tells. */
export async function readServerVersion(): Promise<string> {
  const answer = await fetch('/openapi.json');
  const document = (await answer.json()) as { info: { version: string } };
  return document.info.version;
}
