import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Lease } from '../database/lease.entity.js';
import { isUpToDate } from '../database/migrate.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FileStore } from '../files/file-store.js';
import { Keyring } from '../sealing/keyring.js';
import { MasterKey } from '../sealing/master-key.entity.js';
import { Settings } from '../settings/settings.js';

const PATIENCE_MS = 3000;
const GOOD_FOR_MS = 1000;

/** What it takes to serve; each is as it should be or not. */
export class Readiness {
  database: boolean;
  writes: boolean;
  migrations: boolean;
  keys: boolean;
  store: boolean;
}

/** Looks whether this process can serve. All that ask within a second share one look, so asking costs little. */
@Injectable()
export class ReadinessService {
  private look?: Promise<Readiness>;

  constructor(
    private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly keyring: Keyring,
    private readonly store: FileStore,
  ) {}

  check(): Promise<Readiness> {
    this.look ??= this.lookAround().finally(() => {
      void setTimeout(GOOD_FOR_MS, undefined, { ref: false }).then(() => (this.look = undefined));
    });
    return this.look;
  }

  private async lookAround(): Promise<Readiness> {
    const [database, writes, migrations, keys, store] = await Promise.all([
      holds(async () => (await this.dataSource.query<unknown[]>('SELECT 1')).length === 1),
      holds(() => this.canWrite()),
      holds(() => isUpToDate(this.dataSource)),
      holds(() => this.knowsAllKeys()),
      holds(() => this.isStoreThere()),
    ]);
    return { database, writes, migrations, keys, store };
  }

  /** A full disk, or a server that was switched to reading only, still answers queries. */
  private async canWrite(): Promise<boolean> {
    const row = { name: 'readiness', holder: '', endsAt: Date.now() };
    await this.unitOfWork.run((manager) => manager.upsert(Lease, row, ['name']));
    return true;
  }

  /** Another process may have brought a key that we lack, or retired the one that we seal with. */
  private async knowsAllKeys(): Promise<boolean> {
    const needed = (await this.dataSource.manager.find(MasterKey)).map(({ id }) => id);
    return needed.includes(this.keyring.current) && needed.every((id) => this.keyring.ids.includes(id));
  }

  private async isStoreThere(): Promise<boolean> {
    if (this.settings.ENABLE_FILE_PUSHES) await this.store.probe();
    return true;
  }
}

/** What fails or takes too long does not hold. */
async function holds(question: () => Promise<boolean>): Promise<boolean> {
  const timeout = new AbortController();
  const tooLate = setTimeout(PATIENCE_MS, false, { signal: timeout.signal, ref: false }).catch(() => false);
  try {
    return await Promise.race([question(), tooLate]);
  } catch {
    return false;
  } finally {
    timeout.abort();
  }
}
