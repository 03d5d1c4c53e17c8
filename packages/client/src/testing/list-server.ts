import { type LocalServer, type ReceivedRequest, sendJson, startLocalServer } from './local-server.ts';

/** A resource as a server sends it, of which a test says only what matters to it. */
export function resource(id: string, given: object = {}): Record<string, unknown> {
  return {
    resource_type: { key: 'resource_type.compute.vm', label: 'Virtual machine' },
    resource_id: id,
    create_time: '2026-01-31T08:00:00.000Z',
    sku: '1 core',
    state: 'ALERTSTATE_INACTIVE',
    display_name: `display ${id}`,
    alert_rules_count: 1,
    name: `name-${id}`,
    gpu_model: '',
    ...given,
  };
}

export function resources(count: number, from = 0): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, at) => resource(`r${from + at}`));
}

interface AskedPage {
  readonly offset: number;
  readonly size: number;
  readonly request: ReceivedRequest;
  /** Which request this is, from 1. */
  readonly number: number;
}

/** What a server makes of a request for a page: the answer, and its revision where it has one. */
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
