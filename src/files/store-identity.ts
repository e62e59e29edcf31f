import { setTimeout } from 'node:timers/promises';
import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { In } from 'typeorm';
import { contributedMethod, type Contributions } from '../platform/contributions/contributions.js';
import { isDuplicate } from '../platform/database/errors/database-error.js';
import type { UnitOfWork } from '../platform/database/transactions/unit-of-work.js';
import type { InstanceAudit } from '../platform/instance-audit/instance-audit.service.js';
import { Log } from '../platform/logging/log.js';
import { newId } from '../platform/random/random.js';
import { SECOND_MS } from '../platform/settings/units.js';
import { StartError } from '../platform/settings/start-error.js';
import { StoredFile } from './file.entity.js';
import type { FileStore, StoredObject } from './file-store.js';
import { StoreUnavailable } from './file-store.js';
import { INSTALLATION, Installation } from './installation.entity.js';

/** Keys that are looked up in the database by one statement. */
const BATCH = 500;
/** Files by which a store without an id is judged. Keys are random, so the first ones are a fair sample. */
const SAMPLE = 1000;
/** A start does not wait longer for a store: it goes on, and the comparison is made before the first use. */
const MAX_START_WAIT_MS = 5 * SECOND_MS;

const MAX_MARK_TRIES = 10;
const MARK_PAUSE_MS = 100;

const ADOPT =
  'correct the settings, or make these files those of this database: npm run -s cli -- files:adopt (docs/operating/files.md)';

/** The file store belongs to another installation, or may: nothing is written to it or removed from it. */
export class ForeignStore extends StartError {}

/**
 * On the method that tells which of these keys of stored files belong to rows of its module: they are not removed as those
 * of interrupted uploads.
 */
export const KnownStorageKeys = contributedMethod<(keys: string[]) => Promise<string[]>>();

/** On the method that tells the states of those of these keys whose files arrive in parts: see `StoredPart`. */
export const StoreStates = contributedMethod<(keys: string[]) => Promise<string[]>>();

/** What a whole store has. */
interface StoreContent {
  files: number;
  /** How many of them have a row in the database. */
  known: number;
}

/**
 * Whether the file store belongs to the installation of the database: both have its id. The store gets it before its
 * first file. See docs/decisions/0068.
 */
export class StoreIdentity {
  /** Whether the ids were compared, and the store is ours. */
  isConfirmed = false;
  private comparing?: Promise<'ours' | 'empty'>;
  private claiming?: Promise<void>;

  /** @param database names it in messages */
  constructor(
    readonly store: FileStore,
    private readonly database: string,
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
    private readonly contributions: Contributions,
  ) {}

  /**
   * Compares the ids unless that was done before; calls at the same time share one comparison. A store of ours without an
   * id, as earlier versions have left it, gets one. An empty one without an id is nobody's.
   * @throws ForeignStore
   * @throws StoreUnavailable
   */
  async confirm(): Promise<'ours' | 'empty'> {
    if (this.isConfirmed) return 'ours';
    this.comparing ??= this.compare().finally(() => (this.comparing = undefined));
    const found = await this.comparing;
    if (found === 'ours') this.isConfirmed = true;
    return found;
  }

  /** Compares again, because whoever removes what it does not know must be sure. */
  confirmAgain(): Promise<'ours' | 'empty'> {
    this.isConfirmed = false;
    return this.confirm();
  }

  /** The same before a file is stored: makes an empty store ours. */
  claim(): Promise<void> {
    return (this.claiming ??= this.claimIfEmpty().finally(() => (this.claiming = undefined)));
  }

  /** Whether the store has our id, another one, or none. */
  async owner(): Promise<'this' | 'another' | 'none'> {
    const found = await this.store.readInstallationId();
    if (found === undefined) return 'none';
    return found === (await this.installation()).installationId ? 'this' : 'another';
  }

  /** Makes the store that of this database, whatever it was before. */
  async adopt(): Promise<void> {
    const { installationId } = await this.installation();
    await this.audit.record('files_adopted'); // first: it may be interrupted
    await this.store.writeInstallationId(installationId, true);
    await this.rememberMark(false);
  }

  /** Reads the whole store. */
  async content(): Promise<StoreContent> {
    const content = { files: 0, known: 0 };
    for await (const batch of batches(this.store.list())) {
      content.files += batch.length;
      content.known += (await this.knownOf(batch.map(({ key }) => key))).size;
    }
    return content;
  }

  /** Those of these keys that belong to a row in the database. */
  async knownOf(keys: string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const rows = await this.dataSource.manager.find(StoredFile, {
      select: { storageKey: true },
      where: { storageKey: In(keys) },
    });
    const known = new Set(rows.map(({ storageKey }) => storageKey));
    for (const knownOf of this.contributions.all(KnownStorageKeys))
      for (const key of await knownOf(keys)) known.add(key);
    return known;
  }

  /** The states of those of these keys whose files arrive in parts. */
  async statesOf(keys: string[]): Promise<string[]> {
    const states: string[] = [];
    for (let start = 0; start < keys.length; start += BATCH)
      for (const statesOf of this.contributions.all(StoreStates))
        states.push(...(await statesOf(keys.slice(start, start + BATCH))));
    return states;
  }

  private async claimIfEmpty(): Promise<void> {
    if ((await this.confirm()) === 'ours') return;
    await this.mark((await this.installation()).installationId);
    await this.rememberMark(false);
    this.isConfirmed = true;
  }

  private async compare(): Promise<'ours' | 'empty'> {
    const { installationId, hasMarkedStore } = await this.installation();
    let found = await this.store.readInstallationId();
    if (found === undefined) {
      const keys = await this.sample();
      if (keys.length === 0) return 'empty';
      found = await this.store.readInstallationId(); // another process may have written it, and then the first file
      if (found === undefined) {
        const known = await this.countKnown(keys);
        if (hasMarkedStore || known * 2 <= keys.length) throw this.isWithoutId(keys.length, known);
        await this.mark(installationId);
        await this.rememberMark(true);
        return 'ours';
      }
    }
    if (found !== installationId) throw this.belongsToAnother(found, installationId);
    return 'ours';
  }

  /** The row, which is made at the first call. If several processes make it at once, one of them does. */
  private async installation(): Promise<Installation> {
    const { manager } = this.dataSource;
    const found = await manager.findOneBy(Installation, { id: INSTALLATION });
    if (found) return found;
    const row = { id: INSTALLATION, installationId: newId(), hasMarkedStore: false, isSweepStopped: false };
    try {
      await this.unitOfWork.run((manager) => manager.insert(Installation, row));
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    return manager.findOneByOrFail(Installation, { id: INSTALLATION });
  }

  /** Of two installations that do this at the same time, one is first. */
  private async mark(installationId: string): Promise<void> {
    for (let tries = 0; tries < MAX_MARK_TRIES; tries++) {
      await this.store.writeInstallationId(installationId);
      const found = await this.store.readInstallationId();
      if (found === installationId) return;
      if (found !== undefined) throw this.belongsToAnother(found, installationId);
      await setTimeout(MARK_PAUSE_MS); // another process is writing it
    }
    throw new StoreUnavailable(new Error('The id of the installation cannot be written.'), true);
  }

  /** After the store has the id. Of several processes that have adopted it at the same time, one records that. */
  private async rememberMark(hasAdopted: boolean): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const unmarked = { id: INSTALLATION, hasMarkedStore: false };
      const { affected } = await manager.update(Installation, unmarked, { hasMarkedStore: true });
      if (hasAdopted && affected === 1) await this.audit.recordWithin(manager, 'files_adopted');
    });
  }

  private async sample(): Promise<string[]> {
    const keys: string[] = [];
    try {
      for await (const { key } of this.store.list()) {
        keys.push(key);
        if (keys.length === SAMPLE) break;
      }
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : new StoreUnavailable(error);
    }
    return keys;
  }

  private async countKnown(keys: string[]): Promise<number> {
    let known = 0;
    for (let start = 0; start < keys.length; start += BATCH)
      known += (await this.knownOf(keys.slice(start, start + BATCH))).size;
    return known;
  }

  private belongsToAnother(found: string, ours: string): ForeignStore {
    const another = /^[0-9a-f-]{36}$/.test(found)
      ? `installation ${found}`
      : 'an installation with a damaged id';
    return new ForeignStore(
      `The files in ${this.store.place} belong to ${another}, and ${this.database} to ${ours}: ${ADOPT}.`,
    );
  }

  private isWithoutId(files: number, known: number): ForeignStore {
    const [all, some] = files < SAMPLE ? ['', `${files}`] : ['the first ', `${SAMPLE}`];
    return new ForeignStore(
      `${this.store.place} has files and no id of an installation, ` +
        `and ${this.database} knows ${known} of ${all}${some} files in it: ${ADOPT}.`,
    );
  }
}

/** Refuses to start the service with the files of another installation. */
@Injectable()
export class StoreCheck implements OnModuleInit {
  constructor(
    private readonly identity: StoreIdentity,
    private readonly log: Log,
  ) {}

  /** A store that cannot be reached does not keep the service from starting, because pushes without files need none. */
  async onModuleInit(): Promise<void> {
    const timer = new AbortController();
    const tooLate = setTimeout(MAX_START_WAIT_MS, undefined, { signal: timer.signal, ref: false }).then(
      () => {
        throw new StoreUnavailable(new Error('The file store does not respond.'));
      },
    );
    try {
      await Promise.race([this.identity.confirm(), tooLate]);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.log.warning('Whether the files belong to this installation is checked later', {});
      this.log.failure('The file store cannot be read', error);
    } finally {
      timer.abort();
    }
  }
}

export async function* batches(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject[]> {
  let batch: StoredObject[] = [];
  for await (const object of objects) {
    batch.push(object);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
