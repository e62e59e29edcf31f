import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { engineOf } from './engines/engines.js';
import { isDuplicate } from './errors/database-error.js';
import type { UnitOfWork } from './transactions/unit-of-work.js';
import { NotExported } from './tables.js';

/** A lock that also works on a cluster: the process named in the row holds it until the lease ends. */
@NotExported() // of processes that use this database
@Entity('leases')
export class Lease {
  @PrimaryColumn('varchar', { length: 64 })
  name: string;

  @Column('varchar', { length: 36 })
  holder: string;

  /** Milliseconds since 1970 by the database's clock, the only one that all replicas share. */
  @Column('bigint')
  endsAt: number;
}

const LEASE_MS = 30_000;

/** Leases by name, each for one of the processes that share the database. One that dies loses its own in 30 s. */
export class Leases {
  private readonly holder = randomUUID();

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Does `work` unless another process holds the lock; returns whether it did. */
  async runIfFree(name: string, work: () => Promise<void>): Promise<boolean> {
    if (!(await this.acquire(name))) return false;
    const renewal = setInterval(() => {
      this.acquireOrRenew(name).catch(() => undefined); // if the lease runs out, at worst the work is done twice
    }, LEASE_MS / 3);
    try {
      await work();
    } finally {
      clearInterval(renewal);
      await this.release(name);
    }
    return true;
  }

  private async acquire(name: string): Promise<boolean> {
    if (await this.acquireOrRenew(name)) return true;
    try {
      await this.unitOfWork.run((manager) => manager.insert(Lease, { name, holder: '', endsAt: 0 }));
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
    return this.acquireOrRenew(name);
  }

  /** Also a lease that ends later than any can: it was taken while the clock of the database was ahead. */
  private async acquireOrRenew(name: string): Promise<boolean> {
    const now = engineOf(this.dataSource).clock;
    const { affected } = await this.unitOfWork.run((manager) =>
      manager
        .createQueryBuilder()
        .update(Lease)
        .set({ holder: this.holder, endsAt: () => `${now} + ${LEASE_MS}` })
        .where(
          `name = :name AND (holder = :holder OR ends_at < ${now} OR ends_at > ${now} + ${2 * LEASE_MS})`,
          { name, holder: this.holder },
        )
        .execute(),
    );
    return affected === 1;
  }

  private async release(name: string): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(Lease, { name, holder: this.holder }, { endsAt: 0 }),
    );
  }
}
