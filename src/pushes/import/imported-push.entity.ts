import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ReferenceColumn } from '../../platform/database/columns.js';

/**
 * A push that was imported from another service. The row outlives the push, so that a repeated import does not bring back
 * one that has been removed.
 */
@Entity('imported_pushes')
export class ImportedPush {
  /** Its token digest. */
  @PrimaryColumn('varchar', { length: 64 })
  id: string;

  /** The id of the push here. */
  @ReferenceColumn()
  pushId: string;

  /** How many views there are counted here. */
  @Column('integer')
  viewsImported: number;

  /** Up to which number its log there has been imported. */
  @Column({ type: 'bigint', transformer: { from: Number, to: (entry: number) => entry } })
  lastLogEntry: number;
}
