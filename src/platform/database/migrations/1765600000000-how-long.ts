import type { DataSource } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions } from './additions.js';

/** Pushes that end some hours after their first view, open later, or open only from some networks. */
export class HowLong1765600000000 extends Additions {
  name = 'HowLong1765600000000';

  protected columnsOf({ options }: DataSource['driver']): NewColumn[] {
    return [
      ['pushes', 'expire_after_first_view', options.type === 'better-sqlite3' ? 'integer' : 'int'],
      ['pushes', 'opens_at', 'datetime(3)'],
      ['pushes', 'allowed_networks', 'text'],
    ];
  }
}
