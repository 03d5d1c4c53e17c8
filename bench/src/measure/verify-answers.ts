import http from 'node:http';
import { type ListQuery, parseSearchQuery, type Resource } from '@roster/contract';
import { formatQuery } from '../dataset/format-query.ts';
import { type ListAnswer, naiveList } from '../dataset/naive-list.ts';
import { naiveSearch } from '../dataset/naive-search.ts';
import { captureOne } from '../servers/capture-responses.ts';
import { type Contender, listPath, searchPath } from '../servers/contender.ts';

/** A wrong answer, which ends the run. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** A path with its correct answer. */
interface CheckedPath {
  readonly path: string;
  readonly answer: ListAnswer;
}

/** By a plain scan of `sorted`. */
export function withAnswers(queries: readonly ListQuery[], sorted: readonly Resource[]): CheckedPath[] {
  return queries.map((query) => ({ path: listPath(formatQuery(query)), answer: naiveList(sorted, query) }));
}

/** A search with its correct answer. */
export function searchWithAnswer(search: string, sorted: readonly Resource[]): CheckedPath {
  return { path: searchPath(search), answer: naiveSearch(sorted, parseSearchQuery(search)) };
}

export async function verifyAnswers(contender: Contender, checked: readonly CheckedPath[]): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (const { path, answer } of checked) {
    const { status, body } = await captureOne(`${contender.origin}${path}`, {}, agent);
    const wrong = status === 200 ? difference(body, answer) : `status ${status}: ${body}`;
    if (wrong) throw new WrongAnswer(`${contender.name} at ${contender.size} resources, ${path}: ${wrong}`);
  }
  agent.destroy();
}

function difference(body: Buffer, expected: ListAnswer): string | undefined {
  const { resources, page } = JSON.parse(body.toString()) as {
    resources: { resource_id: string }[];
    page: { total: number } | null;
  };
  if (page?.total !== expected.total) return `total is ${page?.total}, should be ${expected.total}`;
  if (resources.length !== expected.ids.length) {
    return `${resources.length} rows, should be ${expected.ids.length}`;
  }
  const row = resources.findIndex((resource, index) => resource.resource_id !== expected.ids[index]);
  return row === -1
    ? undefined
    : `row ${row} is ${resources[row]!.resource_id}, should be ${expected.ids[row]}`;
}
