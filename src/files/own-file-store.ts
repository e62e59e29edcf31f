import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { OutageLog } from '../platform/logging/log.js';
import { Log } from '../platform/logging/log.js';
import type { ByteRange } from '../platform/sealing/chunk-streams.js';
import type { Appending, StoredObject, StoredPart } from './file-store.js';
import { FileStore, StoreUnavailable } from './file-store.js';
import { ForeignStore, StoreIdentity } from './store-identity.js';

/**
 * The file store that all use. It changes and lists nothing before it is known to belong to this installation, and logs
 * when it is unavailable.
 */
@Injectable()
export class OwnFileStore extends FileStore {
  override readonly copyTo: FileStore['copyTo'];
  override readonly diskSpace: FileStore['diskSpace'];
  private readonly store: FileStore;
  private readonly storing: OutageLog;
  private readonly reading: OutageLog;

  constructor(
    private readonly identity: StoreIdentity,
    log: Log,
  ) {
    super();
    const { store } = identity;
    this.store = store;
    // files can often be read when none can be stored, as on a full disk
    this.storing = log.outage((error) => error instanceof StoreUnavailable && error.isWriting, {
      begins: 'Files cannot be stored',
      ends: 'Files can be stored again',
    });
    this.reading = log.outage((error) => error instanceof StoreUnavailable && !error.isWriting, {
      begins: 'Files cannot be read or removed',
      ends: 'Files can be read again',
    });
    if (store.copyTo)
      this.copyTo = async (folder) => {
        await this.confirm();
        return (await store.copyTo?.(folder)) ?? 0;
      };
    if (store.diskSpace) this.diskSpace = store.diskSpace.bind(store);
  }

  get place(): string {
    return this.store.place;
  }

  get appendMemory(): number {
    return this.store.appendMemory;
  }

  async put(key: string, bytes: Readable): Promise<void> {
    try {
      if (!this.identity.isConfirmed) await this.claim();
    } catch (error) {
      bytes.destroy();
      throw error;
    }
    await this.store.put(key, bytes);
    this.storing.worked();
  }

  async append(key: string, from: StoredPart, total: number): Promise<Appending> {
    if (!this.identity.isConfirmed) await this.claim();
    const appending = await this.store.append(key, from, total);
    this.storing.worked();
    return appending;
  }

  async join(key: string, state: string, total: number): Promise<void> {
    await this.confirm();
    await this.store.join(key, state, total);
  }

  async discard(key: string, state: string | null): Promise<void> {
    await this.confirm();
    await this.store.discard(key, state);
  }

  async read(key: string, range: ByteRange): Promise<Readable> {
    const bytes = await this.store.read(key, range);
    this.reading.worked();
    return bytes;
  }

  async remove(key: string): Promise<void> {
    await this.confirm();
    await this.store.remove(key);
  }

  async *list(): AsyncIterable<StoredObject> {
    await this.confirm();
    yield* this.store.list();
  }

  async abortIncompleteUploads(
    ...parameters: Parameters<FileStore['abortIncompleteUploads']>
  ): Promise<void> {
    await this.confirm();
    await this.store.abortIncompleteUploads(...parameters);
  }

  readInstallationId(): Promise<string | undefined> {
    return this.store.readInstallationId();
  }

  writeInstallationId(id: string, replaces?: boolean): Promise<void> {
    return this.store.writeInstallationId(id, replaces);
  }

  override async probe(): Promise<void> {
    await this.store.probe();
    await this.confirm();
  }

  private async claim(): Promise<void> {
    try {
      await this.identity.claim();
    } catch (error) {
      if (error instanceof ForeignStore) throw new StoreUnavailable(error, true);
      throw error instanceof StoreUnavailable ? new StoreUnavailable(error.cause, true) : error;
    }
  }

  private async confirm(): Promise<void> {
    try {
      await this.identity.confirm();
    } catch (error) {
      throw error instanceof ForeignStore ? new StoreUnavailable(error) : error;
    }
  }
}
