import { AdditiveMigration } from '../../platform/database/additive-migration.js';
import { column } from '../../platform/database/columns.js';

export class Pushes_HidesContents1796000000000 extends AdditiveMigration {
  protected override readonly columns = { pushes: [column.flag('hides_contents', { default: '0' })] };
}
