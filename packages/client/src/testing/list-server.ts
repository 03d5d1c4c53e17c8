import { resource } from '../../../../testing/resource.ts';
import { type LocalServer, type ReceivedRequest, sendJson, startLocalServer } from './local-server.ts';

export function resources(count: number, from = 0): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => resource(`r${from + at}`));
}

interface AskedPage {
  readonly offset: number;
  readonly size: number;
  readonly request: ReceivedRequest;
  /** Number of the request, from 1. */
  readonly number: number;
}

/** The server's answer to a page request, and its revision if it has one. */
export type AnswerPage = (asked: AskedPage) => { resources: unknown; page?: unknown; revision?: string };

export function startListServer(answerPage: AnswerPage): Promise<LocalServer> {
  return startLocalServer((request, response, number) => {
    const offset = Number(request.url.searchParams.get('page.offset') ?? 0);
    const size = Number(request.url.searchParams.get('page.size') ?? 50);
    const { revision, ...envelope } = answerPage({ offset, size, request, number });
    if (revision !== undefined) response.setHeader('Roster-Revision', revision);
    sendJson(response, envelope);
  });
}
