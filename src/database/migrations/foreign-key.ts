import type { TableForeignKeyOptions } from 'typeorm';

/** A reference to the id of another table. */
export function foreignKey(
  column: string,
  table: string,
  onDelete: 'CASCADE' | 'NO ACTION',
): TableForeignKeyOptions {
  return {
    columnNames: [column],
    referencedTableName: table,
    referencedColumnNames: ['id'],
    onDelete,
    onUpdate: 'NO ACTION',
  };
}
