import type { Endpoint } from '../config/source.ts';
import type { Asking } from '../http/fetch-json.ts';
import { type Labels, labelsIn, listIn, objectIn } from '../http/shape.ts';
import { askPrometheus } from './read-rules.ts';

/** The labels of the active targets, also of those that are down. */
export async function readTargets(endpoint: Endpoint, asking?: Asking): Promise<Labels[]> {
  const { data } = await askPrometheus(endpoint, { path: '/api/v1/targets?state=active', ...asking });
  return listIn(objectIn(data, 'data').activeTargets, 'activeTargets').map((target) =>
    labelsIn(objectIn(target, 'target').labels, 'labels'),
  );
}
