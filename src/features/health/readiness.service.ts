import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Lease } from '../../platform/database/leases.js';
import { isUpToDate } from '../../platform/database/migrate.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { FileStore } from '../../files/file-store.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { MasterKey } from '../../platform/sealing/master-key.entity.js';
import { Settings } from '../../platform/settings/settings.js';

const TIMEOUT_MS = 3000;
const CACHE_MS = 1000;

/** The checks that must all pass to serve requests. */
export class Readiness {
  database: boolean;
  writes: boolean;
  migrations: boolean;
  keys: boolean;
  /** Only in a full check: without files, this process still serves pushes. */
  store?: boolean;
}

/**
 * Checks whether this process can serve requests. Calls within a second share one check, so calls are cheap, unless a
 * write has failed or worked again since.
 */
@Injectable()
export class ReadinessService {
  private latest?: { checks: Promise<Readiness>; wasFailing: boolean };
  private latestOfStore?: Promise<boolean>;

  constructor(
    private readonly settings: Settings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly keyring: Keyring,
    private readonly store: FileStore,
  ) {}

  check(): Promise<Readiness> {
    const wasFailing = this.unitOfWork.isFailing;
    if (this.latest?.wasFailing === wasFailing) return this.latest.checks;

    const latest = { checks: this.checkAll(), wasFailing };
    this.latest = latest;
    void latest.checks
      .then(() => setTimeout(CACHE_MS, undefined, { ref: false }))
      .then(() => {
        if (this.latest === latest) this.latest = undefined;
      });
    return latest.checks;
  }

  /** Also whether files can be stored. Processes share the store, so its failure would take all of them out of service. */
  async checkFull(): Promise<Readiness> {
    this.latestOfStore ??= passes(() => this.isStoreAvailable()).finally(() => {
      void setTimeout(CACHE_MS, undefined, { ref: false }).then(() => (this.latestOfStore = undefined));
    });
    const [checks, store] = await Promise.all([this.check(), this.latestOfStore]);
    return { ...checks, store };
  }

  private async checkAll(): Promise<Readiness> {
    const [database, writes, migrations, keys] = await Promise.all([
      passes(async () => (await this.dataSource.query<unknown[]>('SELECT 1')).length === 1),
      passes(() => this.canWrite()),
      passes(() => isUpToDate(this.dataSource)),
      passes(() => this.knowsAllKeys()),
    ]);
    return { database, writes, migrations, keys };
  }

  /** Queries still work on a full disk, or on a server that was switched to read-only. */
  private async canWrite(): Promise<boolean> {
    const row = { name: 'readiness', holder: '', endsAt: Date.now() };
    await this.unitOfWork.run((manager) => manager.upsert(Lease, row, ['name']));
    return true;
  }

  /** Another process may have added a key that this one lacks, or retired the one that this one seals with. */
  private async knowsAllKeys(): Promise<boolean> {
    const needed = (await this.dataSource.manager.find(MasterKey)).map(({ id }) => id);
    return needed.includes(this.keyring.current) && needed.every((id) => this.keyring.ids.includes(id));
  }

  private async isStoreAvailable(): Promise<boolean> {
    if (this.settings.ENABLE_FILE_PUSHES) await this.store.probe();
    return true;
  }
}

/** False if the check fails or takes too long. */
async function passes(check: () => Promise<boolean>): Promise<boolean> {
  const timeout = new AbortController();
  const tooLate = setTimeout(TIMEOUT_MS, false, { signal: timeout.signal, ref: false }).catch(() => false);
  try {
    return await Promise.race([check(), tooLate]);
  } catch {
    return false;
  } finally {
    timeout.abort();
  }
}
