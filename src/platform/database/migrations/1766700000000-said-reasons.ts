import type { NewColumn } from './additions.js';
import { Additions } from './additions.js';

/** What a mail server said about a message that it did not accept. */
export class SaidReasons1766700000000 extends Additions {
  override name = 'SaidReasons1766700000000';

  protected columnsOf(): NewColumn[] {
    return [['outbox_messages', 'reason', 'varchar(300)']];
  }
}
