import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { OperationId, StationAddress } from '@roster/contract';
import type { Principal } from '../access/principal.ts';

/** What is known of a request that is told of in an error, in the log or in the audit. */
export interface RequestContext {
  readonly requestId: string;
  operation: OperationId | undefined;
  principal: Principal | undefined;
  address: StationAddress | undefined;
  /** The resource, type or token that it is about. */
  target: string | undefined;
  /** A write that only asks what it would do. */
  isDryRun: boolean;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** Made when it is first asked for: a list that goes well needs none. */
export function contextOf(request: IncomingMessage): RequestContext {
  return contexts.getOrInsertComputed(request, () => ({
    requestId: randomUUID(),
    operation: undefined,
    principal: undefined,
    address: undefined,
    target: undefined,
    isDryRun: false,
  }));
}
