import { Readable } from 'node:stream';
import type { FileStore } from '../../../src/files/file-store.js';
import { StoreUnavailable } from '../../../src/files/file-store.js';
import { FaultInjector } from './fault-injector.js';

/** What can happen to a call of the store: it fails before it does anything, after it has done all, or in what it gives. */
export const STORE_FAULTS = ['refused', 'answer lost', 'broken off'] as const;
type StoreFault = (typeof STORE_FAULTS)[number];

const unavailable = () => new StoreUnavailable(new Error('injected'));

/** Stands between the app and its store of files. */
export class FaultyStore extends FaultInjector<StoreFault> {
  constructor(store: FileStore) {
    super();
    const [put, read, remove] = [store.put.bind(store), store.read.bind(store), store.remove.bind(store)];
    store.put = (key, bytes) =>
      this.meet(
        'put',
        () => put(key, bytes),
        () => bytes.destroy(),
      );
    store.read = (key, range) => this.meet('read', () => read(key, range), brokenOff);
    store.remove = (key) => this.meet('remove', () => remove(key));
  }

  private async meet<T>(name: string, run: () => Promise<T>, onBreak?: () => unknown): Promise<T> {
    const injected = this.pass(name);
    if (injected === undefined) return run();
    if (injected === 'answer lost') {
      const lost = await run();
      if (lost instanceof Readable) lost.destroy();
    } else {
      const rest = onBreak?.();
      if (injected === 'broken off' && name === 'read') return rest as T;
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
