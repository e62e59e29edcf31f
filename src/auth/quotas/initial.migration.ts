import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, primary } from '../../platform/database/columns.js';

const { text, reference, flag, integer, bigint } = column;

export class Quotas_Initial1767380000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'daily_usage',
      columns: [
        reference('user_id', primary),
        text('day', 10),
        bigint('bytes'),
        bigint('mails'),
        integer('codes', { default: '0' }),
        flag('codes_told', { default: '0' }),
      ],
      foreignKeys: [removedWith('users', 'user_id')],
    },
  ];
}
