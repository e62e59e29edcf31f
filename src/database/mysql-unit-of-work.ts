import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isLostRace } from './database-error.js';
import type { Work } from './unit-of-work.js';
import { UnitOfWork } from './unit-of-work.js';

const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 100;

/** Each unit is a transaction of its own, tried again when the server chose it as the victim of a deadlock. */
export class MysqlUnitOfWork extends UnitOfWork {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async run<T>(work: Work<T>): Promise<T> {
    const patience = Date.now() + PATIENCE_MS;
    for (let tries = 1; ; tries++) {
      try {
        return await this.dataSource.transaction(work);
      } catch (error) {
        if (!isLostRace(error) || Date.now() > patience) throw error;
        await setTimeout(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
      }
    }
  }

  betweenUnits<T>(statement: () => Promise<T>): Promise<T> {
    return statement();
  }
}
