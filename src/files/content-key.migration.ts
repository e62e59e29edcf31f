import { AdditiveMigration } from '../platform/database/additive-migration.js';
import { column, nullable } from '../platform/database/columns.js';

export class Files_ContentKey1796100000000 extends AdditiveMigration {
  protected override readonly columns = { files: [column.sealed('content_key', nullable)] };
}
