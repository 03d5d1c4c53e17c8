import type { Endpoint } from '../config/source.ts';
import type { Asking } from '../http/fetch-json.ts';
import { type Labels, labelsIn, listIn, objectIn } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import { askPrometheus } from './read-rules.ts';

/** The labels of the active targets, also of those that are down. With a warning, the answer may lack some. */
export async function readTargets(endpoint: Endpoint, asking?: Asking): Promise<Labels[]> {
  const { data, warnings } = await askPrometheus(endpoint, {
    path: '/api/v1/targets?state=active',
    ...asking,
  });
  if (warnings.length > 0) throw new SourceFailure(`answered with a warning: ${warnings[0]}`);
  return listIn(objectIn(data, 'data').activeTargets, 'activeTargets').map((target) =>
    labelsIn(objectIn(target, 'target').labels, 'labels'),
  );
}
