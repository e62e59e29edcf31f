import { SetMetadata } from '@nestjs/common';
import type { EntityMetadata } from 'typeorm';

const NOT_EXPORTED = Symbol('not exported');

/** Leaves the rows of an entity out of exports: they mean nothing in another database. */
export const NotExported = () => SetMetadata(NOT_EXPORTED, true);

/** Not so are views, and tables that TypeORM makes without an entity. */
export function isExported({ target, tableType }: EntityMetadata): boolean {
  return (
    typeof target === 'function' &&
    tableType === 'regular' &&
    Reflect.getMetadata(NOT_EXPORTED, target) !== true
  );
}
