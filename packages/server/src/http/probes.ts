import { type OperationId, operations } from '@roster/contract';

/** What tells how the server is, however often it is asked. */
const probes: ReadonlySet<OperationId> = new Set(['health', 'readiness']);

/** Who looks after a server must hear from it most of all while it is overloaded. */
const neverShed: ReadonlySet<string> = new Set([
  operations.health.path,
  operations.readiness.path,
  operations.metrics.path,
]);

export const isProbe = (id: OperationId): boolean => probes.has(id);
export const isNeverShed = (path: string): boolean => neverShed.has(path);
