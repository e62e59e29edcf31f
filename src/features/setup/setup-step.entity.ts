import { Entity, PrimaryColumn } from 'typeorm';
import { DateTimeColumn } from '../../platform/database/columns.js';

/**
 * What is recorded of the first steps: that they have begun with the first administrator, that the mail server has taken a
 * test mail, that somebody says that backups are made, and that the steps are not to be shown any more.
 */
export type SetupStepName = 'begun' | 'mail' | 'backup' | 'hidden';

@Entity('setup_steps')
export class SetupStep {
  @PrimaryColumn('varchar', { length: 16 })
  name: SetupStepName;

  @DateTimeColumn()
  doneAt: Date;
}
