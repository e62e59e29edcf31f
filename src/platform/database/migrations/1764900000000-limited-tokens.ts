import type { DataSource } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions } from './additions.js';

/** What API tokens may be used for, and when they end. */
export class LimitedTokens1764900000000 extends Additions {
  name = 'LimitedTokens1764900000000';

  protected columnsOf(driver: DataSource['driver']): NewColumn[] {
    return [
      ['api_tokens', 'scope', "varchar(10) NOT NULL DEFAULT 'everything'"],
      ['api_tokens', 'ends_at', 'datetime(3)'],
      ['api_tokens', 'end_announced', `${driver.normalizeType({ type: 'boolean' })} NOT NULL DEFAULT 0`],
    ];
  }
}
