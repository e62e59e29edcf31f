import { Readable } from 'node:stream';
import type { FileStore } from '../../../src/files/file-store.js';
import { StoreUnavailable } from '../../../src/files/file-store.js';
import { FaultInjector } from './fault-injector.js';

/** How a call of the store can fail: before it does anything, after it has done everything, or while its result is read. */
export const STORE_FAULTS = ['refused', 'response lost', 'broken off'] as const;
type StoreFault = (typeof STORE_FAULTS)[number];

const unavailable = () => new StoreUnavailable(new Error('injected'));

/** Injects faults between the app and its file store. */
export class FaultyStore extends FaultInjector<StoreFault> {
  constructor(store: FileStore) {
    super();
    const [put, read, remove] = [store.put.bind(store), store.read.bind(store), store.remove.bind(store)];
    store.put = (key, bytes) =>
      this.intercept(
        'put',
        () => put(key, bytes),
        () => bytes.destroy(),
      );
    store.read = (key, range) => this.intercept('read', () => read(key, range), brokenOff);
    store.remove = (key) => this.intercept('remove', () => remove(key));
  }

  private async intercept<T>(name: string, run: () => Promise<T>, onBreak?: () => unknown): Promise<T> {
    const fault = this.record(name);
    if (fault === undefined) return run();
    if (fault === 'response lost') {
      const lost = await run();
      if (lost instanceof Readable) lost.destroy();
    } else {
      const broken = onBreak?.();
      if (fault === 'broken off' && name === 'read') return broken as T;
    }
    throw unavailable();
  }
}

function brokenOff(): Readable {
  return new Readable({
    read() {
      this.destroy(new Error('injected'));
    },
  });
}
