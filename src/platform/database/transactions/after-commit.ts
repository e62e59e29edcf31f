import type { EntityManager } from 'typeorm';

type Callback = () => void;

const callbacksOf = new WeakMap<EntityManager, Callback[]>();

/** Calls `callback` once the transaction of `manager` is committed, and not at all when it is rolled back. */
export function afterCommit(manager: EntityManager, callback: Callback): void {
  callbacksOf.get(manager)?.push(callback);
}

/** From now on, `afterCommit` adds to these callbacks. To be called at the beginning of each transaction. */
export function collectCallbacks(manager: EntityManager): Callback[] {
  const callbacks: Callback[] = [];
  callbacksOf.set(manager, callbacks);
  return callbacks;
}
