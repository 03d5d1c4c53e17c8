import { type OperationId, operations } from '@roster/contract';

/** Health checks, which are not rate limited. */
const probes: ReadonlySet<OperationId> = new Set(['health', 'readiness']);

/** Monitoring must work during overload. */
const neverShed: ReadonlySet<string> = new Set([
  operations.health.path,
  operations.readiness.path,
  operations.metrics.path,
]);

export const isProbe = (id: OperationId): boolean => probes.has(id);
export const isNeverShed = (path: string): boolean => neverShed.has(path);
