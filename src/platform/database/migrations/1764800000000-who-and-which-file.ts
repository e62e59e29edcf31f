import type { DataSource } from 'typeorm';
import type { NewColumn } from './additions.js';
import { Additions } from './additions.js';

/** Which file was downloaded, for the owner of a push, and whether mails with links name the account that sends them. */
export class WhoAndWhichFile1764800000000 extends Additions {
  name = 'WhoAndWhichFile1764800000000';

  protected columnsOf(driver: DataSource['driver']): NewColumn[] {
    return [
      ['audit_entries', 'file_number', 'integer'],
      ['users', 'named_in_mails', `${driver.normalizeType({ type: 'boolean' })} NOT NULL DEFAULT 1`],
    ];
  }
}
