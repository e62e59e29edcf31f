import { AdditiveMigration, needs, removedWith } from '../database/additive-migration.js';
import { column, nullable } from '../database/columns.js';

const { id, text, reference, sealed, dateTime, integer } = column;

export class Outbox_Initial1767400000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'outbox_messages',
      columns: [
        id,
        text('channel', 20),
        text('destination', 64),
        text('kind', 40),
        reference('user_id', nullable),
        text('master_key_id', 16, nullable),
        sealed('sealed', nullable),
        dateTime('created_at'),
        integer('attempts'),
        dateTime('next_attempt_at', nullable),
        dateTime('ended_at', nullable),
        text('outcome', 10, nullable),
        text('error', 100, nullable),
        text('reason', 300, nullable),
      ],
      indices: [
        { name: 'outbox_messages_due', columnNames: ['next_attempt_at', 'destination'] },
        { columnNames: ['destination', 'next_attempt_at'] },
        { name: 'outbox_messages_of_destination', columnNames: ['destination', 'id'] },
        { columnNames: ['channel', 'outcome', 'ended_at'] },
        { columnNames: ['outcome', 'ended_at'] },
        { columnNames: ['user_id'] },
        { columnNames: ['master_key_id'] },
      ],
      foreignKeys: [removedWith('users', 'user_id'), needs('master_keys', 'master_key_id')],
    },
  ];
}
