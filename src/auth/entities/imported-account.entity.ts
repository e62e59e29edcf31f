import { Entity, PrimaryColumn } from 'typeorm';
import { ReferenceColumn } from '../../platform/database/columns.js';

/**
 * An account that was imported from another service, or joined to one that was here. The row outlives the account, so
 * that a repeated import does not bring back what was deleted.
 */
@Entity('imported_accounts')
export class ImportedAccount {
  /** The digest of its email address there, as `User.normalizeEmail` returns it. */
  @PrimaryColumn('varchar', { length: 64 })
  id: string;

  /** The id of the account here. */
  @ReferenceColumn()
  userId: string;
}
