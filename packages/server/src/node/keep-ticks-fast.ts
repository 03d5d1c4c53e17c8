import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps alive one of the objects that `process.nextTick` makes, for as long as the process lives. V8 forgets their
 * shape when a full garbage collection finds none of them, and from then on every tick takes seven times as long;
 * each request has several.
 */
export function keepTicksFast(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
