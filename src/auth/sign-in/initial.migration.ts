import { AdditiveMigration, removedWith } from '../../platform/database/additive-migration.js';
import { column, nullable, primary } from '../../platform/database/columns.js';

const { id, text, reference, digest, dateTime, flag } = column;

export class SignIn_Initial1767340000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'sign_in_attempts',
      columns: [
        id,
        digest('account'),
        text('network', 45),
        text('wide_network', 45, nullable),
        dateTime('attempted_at'),
      ],
      indices: [
        { columnNames: ['account', 'attempted_at'] },
        { columnNames: ['network', 'attempted_at'] },
        { columnNames: ['wide_network', 'attempted_at'] },
        { columnNames: ['attempted_at'] },
      ],
    },
    {
      name: 'known_networks',
      columns: [
        digest('id', primary),
        reference('user_id'),
        text('network', 45),
        dateTime('seen_at'),
        flag('with_second_factor', { default: '0' }),
      ],
      indices: [
        { columnNames: ['user_id'] },
        { columnNames: ['network', 'seen_at'] },
        { columnNames: ['seen_at'] },
      ],
      foreignKeys: [removedWith('users', 'user_id')],
    },
  ];
}
