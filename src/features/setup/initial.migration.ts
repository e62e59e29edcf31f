import { AdditiveMigration } from '../../platform/database/additive-migration.js';
import { column, primary } from '../../platform/database/columns.js';

const { text, dateTime } = column;

export class SetupSteps_Initial1795900000000 extends AdditiveMigration {
  protected override readonly tables = [
    { name: 'setup_steps', columns: [text('name', 16, primary), dateTime('done_at')] },
  ];
}
