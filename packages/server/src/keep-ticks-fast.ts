import { createHook } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps alive one of the objects that `process.nextTick` makes, for as long as the process lives. V8 forgets their
 * shape when a full garbage collection finds none of them, and from then on every tick takes seven times as long;
 * each request has several.
 */
export function keepTicksFast(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept.push(resource);
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
}
