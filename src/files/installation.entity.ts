import { Column, Entity } from 'typeorm';
import { IdColumn, ReferenceColumn } from '../platform/database/columns.js';

/** The id of the only row. */
export const INSTALLATION = 'installation';

/** Which installation the database is that of. A file store names the one that it belongs to. */
@Entity('installation')
export class Installation {
  @IdColumn()
  id: string;

  /** Random, and the same in a database that was moved or restored. */
  @ReferenceColumn()
  installationId: string;

  /** Whether it has written its id to a file store. Then a store without an id is not taken for its own. */
  @Column('boolean')
  hasMarkedStore: boolean;

  /** Whether the last sweep removed nothing, because it would have been too much. */
  @Column('boolean')
  isSweepStopped: boolean;
}
