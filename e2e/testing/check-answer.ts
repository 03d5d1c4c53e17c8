import { expect } from 'vitest';
import type { Answer } from './answer-reader.ts';

const resourceFields = [
  'alert_rules_count',
  'create_time',
  'display_name',
  'gpu_model',
  'name',
  'resource_id',
  'resource_type',
  'sku',
  'state',
];

export interface ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly parameter?: string;
  readonly total?: number;
  readonly fault_count?: number;
  readonly stopped_at_line?: number;
  readonly faults?: readonly Fault[];
}

interface Fault {
  readonly line: number;
  readonly column?: number;
  readonly field?: string;
  readonly reason: string;
}

/** Codes that always blame one parameter or header. */
const blamesParameter = new Set(['invalid_parameter', 'unknown_parameter', 'unsupported_media_type']);

/** Says what is wrong with an answer that should be a problem document; undefined when nothing is. */
export function problemFault(answer: Answer): string | undefined {
  if (!answer.headers.get('content-type')?.startsWith('application/problem+json')) {
    return `${answer.status} has content type ${answer.headers.get('content-type')}`;
  }
  const problem = JSON.parse(answer.body.toString()) as Record<string, unknown>;
  for (const name of ['type', 'title', 'detail', 'code', 'request_id']) {
    if (typeof problem[name] !== 'string' || problem[name] === '') return `the problem has no ${name}`;
  }
  if (problem.status !== answer.status) return `the problem says status ${problem.status}`;
  if (blamesParameter.has(problem.code as string) && typeof problem.parameter !== 'string') {
    return `${problem.code} names no parameter`;
  }
  return undefined;
}

/** Says what is wrong with the body of a list; undefined when nothing is. */
export function listFault(body: unknown): string | undefined {
  const { resources, page, ...rest } = body as Record<string, unknown>;
  if (Object.keys(rest).length > 0) return `the list has more members: ${Object.keys(rest)}`;
  if (!Array.isArray(resources)) return 'resources is no array';
  if (page !== null) {
    const { offset, size, total, ...more } = page as Record<string, unknown>;
    if (![offset, size, total].every((count) => Number.isSafeInteger(count) && (count as number) >= 0)) {
      return 'the page has members that are no counts';
    }
    if (Object.keys(more).length > 0) return `the page has more members: ${Object.keys(more)}`;
    const expected = Math.max(0, Math.min(size as number, (total as number) - (offset as number)));
    if (resources.length !== expected) return `the page has ${resources.length} rows, not ${expected}`;
  }
  for (const resource of resources) {
    const fault = resourceFault(resource as Record<string, unknown>);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function resourceFault(resource: Record<string, unknown>): string | undefined {
  const names = Object.keys(resource).sort();
  if (names.join() !== resourceFields.join()) return `a resource has the fields ${names}`;
  for (const name of names) {
    if (name === 'resource_type' || name === 'alert_rules_count') continue;
    if (typeof resource[name] !== 'string') return `${name} is no string`;
  }
  if (!Number.isSafeInteger(resource.alert_rules_count)) return 'alert_rules_count is no whole number';
  const { key, label, ...rest } = resource.resource_type as Record<string, unknown>;
  const isType = typeof key === 'string' && typeof label === 'string' && Object.keys(rest).length === 0;
  return isType ? undefined : 'resource_type is not a key and a label';
}

/** The problem that an answer must be. */
export function expectProblem(answer: Answer, status: number, code: string): ProblemBody {
  expect(answer.status, answer.body.toString().slice(0, 500)).toBe(status);
  expect(problemFault(answer)).toBeUndefined();
  const problem = JSON.parse(answer.body.toString()) as ProblemBody;
  expect(problem.code).toBe(code);
  return problem;
}

/** A `fetch` response as an `Answer`. */
export async function toAnswer(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: new Map(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
}
