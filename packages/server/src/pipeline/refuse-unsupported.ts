import {
  type OperationId,
  operations,
  parsePatchQuery,
  parseWriteQuery,
  RosterError,
  refuseParameters,
  rosterParameterNames,
} from '@roster/contract';
import type { Exchange } from '../http/exchange.ts';

const rosterApi = '/roster/v1/';

/** The writes that can depend on the revision of a station, or on the version of a type or view. */
const conditionalWrites: ReadonlySet<OperationId> = new Set([
  'writeResources',
  'patchResources',
  'removeResource',
  'deleteStation',
  'putType',
  'deleteType',
  'putView',
  'deleteView',
  'putSharedView',
  'deleteSharedView',
]);

/** The writes that can depend on there being nothing yet. */
const creatingWrites: ReadonlySet<OperationId> = new Set(['putType', 'putView', 'putSharedView']);

/** Throws if a request has parameters or conditions that its operation would ignore. */
export function refuseUnsupported(exchange: Exchange, operation: OperationId): void {
  const { method, path } = operations[operation];
  const isBare = path.startsWith(rosterApi) && !Object.hasOwn(rosterParameterNames, operation);
  if (isBare) refuseParameters(exchange.search);
  if (method === 'GET') return;
  if (!conditionalWrites.has(operation)) refuseCondition(exchange, 'if-match');
  if (!creatingWrites.has(operation)) refuseCondition(exchange, 'if-none-match');
  if (operation === 'writeResources') exchange.isDryRun = parseWriteQuery(exchange.search).isDryRun;
  if (operation === 'patchResources') exchange.isDryRun = parsePatchQuery(exchange.search).isDryRun;
}

function refuseCondition({ request }: Exchange, header: 'if-match' | 'if-none-match'): void {
  if (request.headers[header] === undefined) return;
  const parameter = header === 'if-match' ? 'If-Match' : 'If-None-Match';
  const detail = `this operation does not support ${parameter}`;
  throw new RosterError('invalid_parameter', detail, { parameter });
}
