import { AdditiveMigration } from '../database/additive-migration.js';
import { column, nullable } from '../database/columns.js';

const { id, text, longText, reference, dateTime, flag } = column;

export class InstanceAudit_Initial1767100000000 extends AdditiveMigration {
  protected override readonly tables = [
    {
      name: 'instance_audit_entries',
      columns: [
        id,
        dateTime('created_at'),
        text('kind', 30),
        text('actor_type', 10),
        reference('actor_id', nullable),
        text('actor', 254),
        reference('subject_id', nullable),
        text('subject', 254),
        text('ip', 45),
        text('user_agent', 255),
        longText('details'),
        flag('is_logged'),
      ],
      indices: [
        { columnNames: ['kind', 'id'] },
        { name: 'instance_audit_entries_of_subject', columnNames: ['subject_id', 'kind', 'id'] },
        { columnNames: ['is_logged', 'id'] },
      ],
    },
    { name: 'settings_in_force', columns: [id, longText('shown')] },
  ];

  protected override readonly rows = { settings_in_force: { id: 'settings', shown: '{}' } };
}
