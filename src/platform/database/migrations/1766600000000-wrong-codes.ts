import type { DataSource } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions } from './additions.js';

/** How many codes of an account's app were wrong in a day, and where its second factor was given. */
export class WrongCodes1766600000000 extends Additions {
  override name = 'WrongCodes1766600000000';

  protected columnsOf(driver: DataSource['driver']): NewColumn[] {
    const number = driver.options.type === 'better-sqlite3' ? 'integer' : 'int';
    const boolean = driver.normalizeType({ type: 'boolean' });
    return [
      ['daily_usage', 'codes', `${number} NOT NULL DEFAULT 0`],
      ['daily_usage', 'codes_told', `${boolean} NOT NULL DEFAULT 0`],
      ['known_networks', 'with_second_factor', `${boolean} NOT NULL DEFAULT 0`],
    ];
  }
}
