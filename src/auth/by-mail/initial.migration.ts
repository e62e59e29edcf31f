import { AdditiveMigration } from '../../platform/database/additive-migration.js';
import { column, primary } from '../../platform/database/columns.js';

const { digest, dateTime, integer } = column;

export class AccountMails_Initial1767370000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'mail_counts',
      columns: [digest('subject', primary), integer('mails'), dateTime('ends_at')],
      indices: [{ columnNames: ['ends_at'] }],
    },
  ];
}
